-- Baskets that a till has put aside for a while: only of this machine, neither in the change feed nor reported.
CREATE TABLE parked_basket (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  -- Made by the till, which parks the same basket again by it.
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  tickets BIGINT NOT NULL,
  -- The lines as the till has them, as JSON.
  lines TEXT NOT NULL,
  parked TEXT NOT NULL,
  -- The till that has taken it up.
  taken_by TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);
