CREATE TABLE waiting_list_entry (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "created" TEXT NOT NULL,
  "name_parts" TEXT,
  "email" TEXT NOT NULL,
  "phone" TEXT,
  "voucher" BIGINT,
  "item" BIGINT NOT NULL,
  "variation" BIGINT,
  "locale" TEXT NOT NULL,
  "subevent" BIGINT,
  "priority" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "voucher") REFERENCES voucher (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id),
  FOREIGN KEY (organizer, "variation") REFERENCES variation (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id)
);

CREATE INDEX waiting_by_time ON waiting_list_entry (organizer, event, "created", id);

-- Those who still wait are counted at every sale, by this index alone.
CREATE INDEX waiting_for ON waiting_list_entry (organizer, event, "item", "variation", "subevent") WHERE "voucher" IS NULL;

CREATE INDEX waiting_voucher ON waiting_list_entry (organizer, "voucher") WHERE "voucher" IS NOT NULL;
