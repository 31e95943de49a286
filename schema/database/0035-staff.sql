-- Who works at stations, and what only this machine knows of them: who has signed in, who has to wait, who stands in.
CREATE TABLE staff (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "short_name" TEXT NOT NULL,
  "active" SMALLINT NOT NULL,
  "role" TEXT NOT NULL,
  "rights" TEXT NOT NULL,
  "valid_from" TEXT,
  "valid_until" TEXT,
  "all_devices" SMALLINT NOT NULL,
  "limit_devices" TEXT NOT NULL,
  "limit_gates" TEXT NOT NULL,
  "pin_hash" TEXT,
  "badge_hash" TEXT,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX staff_by_badge ON staff (organizer, "badge_hash") WHERE "badge_hash" IS NOT NULL;

CREATE TABLE staff_session (
  organizer BIGINT NOT NULL,
  device BIGINT NOT NULL,
  staff BIGINT NOT NULL,
  since TEXT NOT NULL,
  PRIMARY KEY (organizer, device)
);

CREATE TABLE staff_try (
  organizer BIGINT NOT NULL,
  device BIGINT NOT NULL,
  staff BIGINT NOT NULL,
  wrong BIGINT NOT NULL,
  blocked_until TEXT NOT NULL,
  PRIMARY KEY (organizer, device, staff)
);

CREATE TABLE staff_step_up (
  organizer BIGINT NOT NULL,
  token_hash TEXT NOT NULL,
  device BIGINT NOT NULL,
  staff BIGINT NOT NULL,
  act TEXT NOT NULL,
  until TEXT NOT NULL,
  PRIMARY KEY (organizer, token_hash)
);
