-- Invoices and their cancellations, whole as they were issued: what they say is not looked up again. Made at the top only.
CREATE TABLE invoice (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "number" TEXT NOT NULL,
  "is_cancellation" SMALLINT NOT NULL,
  "invoice_from" TEXT NOT NULL,
  "invoice_from_name" TEXT NOT NULL,
  "invoice_from_zipcode" TEXT NOT NULL,
  "invoice_from_city" TEXT NOT NULL,
  "invoice_from_state" TEXT NOT NULL,
  "invoice_from_country" TEXT,
  "invoice_from_tax_id" TEXT NOT NULL,
  "invoice_from_vat_id" TEXT NOT NULL,
  "invoice_to" TEXT NOT NULL,
  "invoice_to_is_business" SMALLINT,
  "invoice_to_company" TEXT,
  "invoice_to_name" TEXT,
  "invoice_to_street" TEXT,
  "invoice_to_zipcode" TEXT,
  "invoice_to_city" TEXT,
  "invoice_to_state" TEXT,
  "invoice_to_country" TEXT,
  "invoice_to_vat_id" TEXT,
  "invoice_to_beneficiary" TEXT,
  "invoice_to_transmission_info" TEXT,
  "custom_field" TEXT,
  "date" TEXT NOT NULL,
  "locale" TEXT NOT NULL,
  "introductory_text" TEXT NOT NULL,
  "additional_text" TEXT NOT NULL,
  "payment_provider_text" TEXT NOT NULL,
  "payment_provider_stamp" TEXT,
  "footer_text" TEXT NOT NULL,
  "lines" TEXT NOT NULL,
  "foreign_currency_display" TEXT,
  "foreign_currency_rate" TEXT,
  "foreign_currency_rate_date" TEXT,
  "internal_reference" TEXT NOT NULL,
  "transmission_type" TEXT NOT NULL,
  "transmission_provider" TEXT,
  "transmission_status" TEXT NOT NULL,
  "transmission_date" TEXT,
  "id" BIGINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  "refers_id" BIGINT,
  "prefix" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "shredded" SMALLINT NOT NULL,
  "sent_to_organizer" SMALLINT NOT NULL,
  "printed" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE UNIQUE INDEX invoice_by_number ON invoice (organizer, "number");

CREATE INDEX invoice_as_typed ON invoice (organizer, lower("number"));

CREATE INDEX invoice_of_order ON invoice (organizer, "order_id");

CREATE INDEX invoice_of_event ON invoice (organizer, event, "number");

CREATE INDEX invoice_that_refers ON invoice (organizer, "refers_id");

-- The last number that was given under a prefix. Its row is locked until the invoice is committed, so that no number is
-- left out.
CREATE TABLE invoice_counter (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  prefix TEXT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (organizer, prefix)
);

-- The invoices that go with a mail, by their ids, as JSON.
ALTER TABLE mail ADD COLUMN "invoices" TEXT NOT NULL DEFAULT '[]';
