-- Check-ins that a node knows of although it has no rows of them: the server above has named them and they are yet to
-- come, or it was put back to an earlier state, so that a new copy of its data lacks them. At the door they count.
CREATE TABLE kept_pass (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  id BIGINT NOT NULL,
  "position" BIGINT NOT NULL,
  list BIGINT NOT NULL,
  "type" TEXT NOT NULL,
  datetime TEXT NOT NULL,
  nonce TEXT,
  device BIGINT,
  gate BIGINT,
  auto_checked_in SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX kept_pass_of_position ON kept_pass (organizer, "position", list);

-- Tickets that the server above has refused although they were good as far as was known here: until news of them comes,
-- that is until they are not as they are described here any more, they are refused here as well.
CREATE TABLE kept_refusal (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  "position" BIGINT NOT NULL,
  list BIGINT NOT NULL,
  code TEXT NOT NULL,
  reason TEXT NOT NULL,
  ticket TEXT NOT NULL,
  PRIMARY KEY (organizer, "position", list, reason)
);

-- Facts of the kinds that pages of changes are compared with: few among many check-ins.
CREATE INDEX outbox_devices ON outbox (seq) WHERE kind = 'device';

CREATE INDEX outbox_answers ON outbox (seq) WHERE kind = 'answers';
