CREATE TABLE order_refund (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "local_id" BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "payment" BIGINT,
  "created" TEXT NOT NULL,
  "execution_date" TEXT,
  "comment" TEXT,
  "provider" TEXT NOT NULL,
  "details" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "order_id") REFERENCES orders (organizer, id)
);

CREATE INDEX refund_of_order ON order_refund (organizer, order_id, local_id);

-- What a voucher with a budget has taken off the price of a ticket, so that it can be given back.
ALTER TABLE order_position ADD COLUMN "voucher_budget_use" BIGINT;
