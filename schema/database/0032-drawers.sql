-- The drawers of tills, their receipts and closings.
CREATE TABLE drawer (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "opened" TEXT NOT NULL,
  "opened_by" TEXT NOT NULL,
  "closed" TEXT,
  "training" SMALLINT NOT NULL,
  "tills" TEXT NOT NULL,
  "till" BIGINT NOT NULL,
  "site" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "till") REFERENCES device (organizer, id)
);

CREATE INDEX drawer_in_event ON drawer (organizer, event, "opened");
CREATE INDEX drawer_open ON drawer (organizer, "state") WHERE "state" = 'open';

CREATE TABLE receipt (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "number" BIGINT NOT NULL,
  "site" BIGINT NOT NULL,
  "type" TEXT NOT NULL,
  "drawer" BIGINT NOT NULL,
  "sold_event" TEXT,
  "order" TEXT,
  "cashier" TEXT NOT NULL,
  "staff" BIGINT,
  "started" TEXT NOT NULL,
  "ended" TEXT NOT NULL,
  "training" SMALLINT NOT NULL,
  "currency" TEXT NOT NULL,
  "total" BIGINT NOT NULL,
  "lines" TEXT NOT NULL,
  "payments" TEXT NOT NULL,
  "taxes" TEXT NOT NULL,
  "reverses" BIGINT,
  "reason" TEXT NOT NULL,
  "previous_hash" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "hash_version" BIGINT NOT NULL,
  "till" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "till") REFERENCES device (organizer, id)
);

-- One number may come twice, from a till whose disk was put back: both are kept, and told apart by their hashes.
CREATE UNIQUE INDEX receipt_of_till ON receipt (organizer, "till", "site", "number", "hash");
CREATE INDEX receipt_in_event ON receipt (organizer, event, "ended");
CREATE INDEX receipt_of_drawer ON receipt (organizer, "drawer");
CREATE INDEX receipt_of_order ON receipt (organizer, "order");

CREATE TABLE closing (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "number" BIGINT NOT NULL,
  "site" BIGINT NOT NULL,
  "drawer" BIGINT NOT NULL,
  "opened" TEXT NOT NULL,
  "closed" TEXT NOT NULL,
  "cashier" TEXT NOT NULL,
  "staff" BIGINT,
  "currency" TEXT NOT NULL,
  "expected" BIGINT NOT NULL,
  "counted" BIGINT NOT NULL,
  "difference" BIGINT NOT NULL,
  "denominations" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "sums" TEXT NOT NULL,
  "previous_hash" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "hash_version" BIGINT NOT NULL,
  "till" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "till") REFERENCES device (organizer, id)
);

CREATE UNIQUE INDEX closing_of_till ON closing (organizer, "till", "site", "number", "hash");
CREATE INDEX closing_in_event ON closing (organizer, event, "closed");
CREATE INDEX closing_of_drawer ON closing (organizer, "drawer");

-- How far the numbers of each till have come at this node, whatever it holds a copy of.
CREATE TABLE till_count (
  organizer BIGINT NOT NULL,
  till BIGINT NOT NULL,
  site BIGINT NOT NULL,
  kind TEXT NOT NULL,
  number BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (organizer, till, site, kind)
);
