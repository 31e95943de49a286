-- Bank statements that were sent to be matched with orders. Only of this server: neither in the change feed nor with
-- stations.
CREATE TABLE bank_import (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  id BIGINT NOT NULL,
  -- 0 where it is for all events in reach.
  event BIGINT NOT NULL,
  -- The ids of the events in reach of whoever sent it, as JSON; null for all of the organizer's.
  "reach" TEXT,
  "currency" TEXT,
  "state" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  -- Who sent it, as JSON.
  "actor" TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX bank_import_by_state ON bank_import ("state", organizer, id);

CREATE TABLE bank_transaction (
  organizer BIGINT NOT NULL,
  id BIGINT NOT NULL,
  bank_import BIGINT NOT NULL,
  event BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "message" TEXT NOT NULL,
  "external_id" TEXT,
  "checksum" TEXT NOT NULL,
  "payer" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "date" TEXT NOT NULL,
  "iban" TEXT NOT NULL,
  "bic" TEXT NOT NULL,
  "currency" TEXT,
  order_id BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, bank_import) REFERENCES bank_import (organizer, id)
);

CREATE INDEX bank_transaction_of_import ON bank_transaction (organizer, bank_import, "date", id);

CREATE INDEX bank_transaction_by_checksum ON bank_transaction (organizer, event, "checksum");

CREATE INDEX bank_transaction_by_external_id ON bank_transaction (organizer, event, "external_id");

CREATE INDEX bank_transaction_of_order ON bank_transaction (organizer, order_id);
