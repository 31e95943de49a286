-- What keeps a kiosk out of order until somebody has looked: only of this machine, neither in the change feed nor reported.
CREATE TABLE kiosk_fault (
  -- A machine has one: 1.
  id BIGINT PRIMARY KEY,
  code TEXT NOT NULL,
  since TEXT NOT NULL
);
