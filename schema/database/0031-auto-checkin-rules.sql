-- Who is checked in at once when they have ordered, or when they have paid.
CREATE TABLE auto_checkin_rule (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "list" BIGINT,
  "mode" TEXT NOT NULL,
  "all_sales_channels" SMALLINT NOT NULL,
  "limit_sales_channels" TEXT NOT NULL,
  "all_products" SMALLINT NOT NULL,
  "limit_products" TEXT NOT NULL,
  "limit_variations" TEXT NOT NULL,
  "all_payment_methods" SMALLINT NOT NULL,
  "limit_payment_methods" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "list") REFERENCES checkin_list (organizer, id)
);

CREATE INDEX auto_checkin_rule_in_event ON auto_checkin_rule (organizer, event);
