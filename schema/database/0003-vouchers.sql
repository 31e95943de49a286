-- Vouchers and discounts.

CREATE TABLE voucher (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "code" TEXT NOT NULL,
  "max_usages" BIGINT NOT NULL,
  "redeemed" BIGINT NOT NULL,
  "min_usages" BIGINT NOT NULL,
  "valid_until" TEXT,
  "block_quota" SMALLINT NOT NULL,
  "allow_ignore_quota" SMALLINT NOT NULL,
  "price_mode" TEXT NOT NULL,
  "value" BIGINT,
  "item" BIGINT,
  "variation" BIGINT,
  "quota" BIGINT,
  "seat" TEXT,
  "tag" TEXT NOT NULL,
  "comment" TEXT NOT NULL,
  "subevent" BIGINT,
  "show_hidden_items" SMALLINT NOT NULL,
  "budget" BIGINT,
  "budget_used" BIGINT NOT NULL,
  "all_addons_included" SMALLINT NOT NULL,
  "all_bundles_included" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id),
  UNIQUE (organizer, event, "code"),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id),
  FOREIGN KEY (organizer, "variation") REFERENCES variation (organizer, id),
  FOREIGN KEY (organizer, "quota") REFERENCES quota (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id)
);

-- What of an event's quotas is kept for vouchers is summed at every sale.
CREATE INDEX voucher_blocking ON voucher (organizer, event) WHERE "block_quota" = 1;

CREATE INDEX voucher_seat ON voucher (organizer, event, "seat") WHERE "seat" IS NOT NULL;

CREATE TABLE discount (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "active" SMALLINT NOT NULL,
  "internal_name" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "sales_channels" TEXT NOT NULL,
  "available_from" TEXT,
  "available_until" TEXT,
  "subevent_mode" TEXT NOT NULL,
  "condition_all_products" SMALLINT NOT NULL,
  "condition_limit_products" TEXT NOT NULL,
  "condition_apply_to_addons" SMALLINT NOT NULL,
  "condition_ignore_voucher_discounted" SMALLINT NOT NULL,
  "condition_min_count" BIGINT NOT NULL,
  "condition_min_value" BIGINT NOT NULL,
  "benefit_discount_matching_percent" BIGINT NOT NULL,
  "benefit_only_apply_to_cheapest_n_matches" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX discount_event ON discount (organizer, event);

-- Finds what was bought with a voucher or a discount, of which there is little among much.
CREATE INDEX order_position_voucher ON order_position (organizer, "voucher") WHERE "voucher" IS NOT NULL;

CREATE INDEX order_position_discount ON order_position (organizer, "discount") WHERE "discount" IS NOT NULL;
