-- Contradictions that a node below central has found by itself, until the server above tells of them or is known not to
-- see them.
CREATE TABLE found_conflict (
  organizer BIGINT NOT NULL,
  id BIGINT NOT NULL,
  PRIMARY KEY (organizer, id)
);
