-- What is held for people who have not ordered yet. Each node has its own, so that nothing here points at rows by the
-- database's own means: what comes from above must never wait for a cart.
CREATE TABLE cart_position (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "cart_id" TEXT NOT NULL,
  "datetime" TEXT NOT NULL,
  "expires" TEXT NOT NULL,
  "item" BIGINT NOT NULL,
  "variation" BIGINT,
  "price" BIGINT NOT NULL,
  "attendee_name" TEXT,
  "attendee_name_parts" TEXT NOT NULL,
  "attendee_email" TEXT,
  "voucher" BIGINT,
  "addon_to" BIGINT,
  "is_bundled" SMALLINT NOT NULL,
  "subevent" BIGINT,
  "includes_tax" SMALLINT NOT NULL,
  "answers" TEXT NOT NULL,
  "seat" TEXT,
  "seat_id" BIGINT,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX cart_by_time ON cart_position (organizer, event, "datetime", id);

CREATE INDEX cart_by_id ON cart_position (organizer, event, "cart_id", id);

CREATE INDEX cart_of_parent ON cart_position (organizer, "addon_to") WHERE "addon_to" IS NOT NULL;

CREATE INDEX cart_of_seat ON cart_position (organizer, "seat_id", "expires") WHERE "seat_id" IS NOT NULL;

CREATE INDEX cart_of_voucher ON cart_position (organizer, "voucher", "expires") WHERE "voucher" IS NOT NULL;

-- What carts hold of the quotas is counted at every sale, by this index alone.
CREATE INDEX cart_of_item ON cart_position (organizer, "item", "variation", "subevent", "expires", "voucher");

CREATE INDEX cart_over ON cart_position ("expires");

-- Tickets that are blocked and make room for others as long as they are.
ALTER TABLE order_position ADD COLUMN "ignore_from_quota_while_blocked" SMALLINT;

CREATE INDEX position_ignored ON order_position (organizer, event)
  WHERE "ignore_from_quota_while_blocked" = 1 AND "blocked" IS NOT NULL;
