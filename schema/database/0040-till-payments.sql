-- Money that a till has asked for before there is a sale: only of this machine, neither in the change feed nor reported.
CREATE TABLE till_payment (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  -- Made by the till, which asks for the same payment again by it.
  id TEXT NOT NULL,
  event BIGINT NOT NULL,
  device BIGINT NOT NULL,
  -- The key of the sale that it is for.
  sale TEXT NOT NULL,
  way TEXT NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  created TEXT NOT NULL,
  state TEXT NOT NULL,
  -- Why it is not paid, or not known to be, as a word.
  reason TEXT,
  reference TEXT,
  details TEXT NOT NULL,
  -- What is to be sold, as JSON: an order is made of exactly this.
  basket TEXT NOT NULL,
  -- The code of the order that it has paid for.
  order_code TEXT,
  -- What became of giving it back, where that was tried.
  refund TEXT,
  -- Who has said what became of it, and why, where nobody could be asked.
  decided TEXT,
  PRIMARY KEY (organizer, id)
);
