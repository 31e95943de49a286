-- By what receipts are to be signed, and what became of that.
ALTER TABLE receipt ADD COLUMN signing TEXT NOT NULL DEFAULT '';

CREATE INDEX receipt_to_sign ON receipt (organizer, site) WHERE signing <> '';

CREATE TABLE receipt_signature (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "number" BIGINT NOT NULL,
  "site" BIGINT NOT NULL,
  "receipt" BIGINT NOT NULL,
  "receipt_hash" TEXT NOT NULL,
  "provider" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "problem" TEXT NOT NULL,
  "serial" TEXT NOT NULL,
  "transaction" BIGINT,
  "counter" BIGINT,
  "started" TEXT,
  "finished" TEXT,
  "signed_data" TEXT NOT NULL,
  "signature" TEXT NOT NULL,
  "datetime" TEXT NOT NULL,
  "previous_hash" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "hash_version" BIGINT NOT NULL,
  "till" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "till") REFERENCES device (organizer, id)
);

CREATE UNIQUE INDEX receipt_signature_of_till ON receipt_signature (organizer, "till", "site", "number", "hash");
CREATE INDEX receipt_signature_of ON receipt_signature (organizer, event, "receipt");
