-- Personal data of an event that is being deleted, after it was exported under the same id. Only of the server at the top:
-- what it changes goes to stations as every change does.
CREATE TABLE shredding (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  -- The export that it was saved with.
  id TEXT NOT NULL,
  event BIGINT NOT NULL,
  "file" TEXT NOT NULL,
  "credential" TEXT NOT NULL,
  -- What is deleted, as JSON.
  "shredders" TEXT NOT NULL,
  -- When it was saved.
  "exported" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "message" TEXT,
  "created" TEXT NOT NULL,
  -- Who asked for it, as JSON.
  "actor" TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX shredding_by_state ON shredding ("state", organizer, id);
