-- How often a receipt was given out, and which of them goes with a mail.
CREATE TABLE receipt_print (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "receipt" BIGINT NOT NULL,
  "copy" BIGINT NOT NULL,
  "way" TEXT NOT NULL,
  "datetime" TEXT NOT NULL,
  "cashier" TEXT NOT NULL,
  "staff" BIGINT,
  "site" BIGINT NOT NULL,
  "till" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "till") REFERENCES device (organizer, id)
);

CREATE INDEX receipt_print_of ON receipt_print (organizer, event, "receipt");

ALTER TABLE mail ADD COLUMN receipt_print BIGINT;
