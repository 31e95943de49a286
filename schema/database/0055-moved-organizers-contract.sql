-- Of organizers that were moved to another server or came from one. Where it came from, the epoch by which stations know
-- the order of its changes; where it went, the place, and nothing of it is answered here any more.
CREATE TABLE organizer_move (
  id BIGINT NOT NULL PRIMARY KEY,
  epoch TEXT,
  arrived TEXT,
  moved_to TEXT,
  moved TEXT
);

-- The starts of the servers that an organizer was on before, as in feed_start: where its feeds had come when each was over.
CREATE TABLE former_start (
  organizer BIGINT NOT NULL,
  name TEXT NOT NULL,
  ended TEXT NOT NULL,
  PRIMARY KEY (organizer, name)
);

-- Who had an id on a server that an organizer was on until then, so that its audit trail names nobody else.
CREATE TABLE former_user (
  organizer BIGINT NOT NULL,
  "user" BIGINT NOT NULL,
  "until" TEXT NOT NULL,
  email TEXT NOT NULL,
  PRIMARY KEY (organizer, "user", "until")
);

-- Devices of two organizers have the same number where these were on different servers when they joined.
DROP INDEX site_grant_by_device;

ALTER TABLE site_grant RENAME TO site_grant_before;

CREATE TABLE site_grant (
  organizer BIGINT NOT NULL,
  site BIGINT NOT NULL,
  site_end BIGINT NOT NULL,
  device BIGINT NOT NULL,
  given TEXT NOT NULL,
  used SMALLINT NOT NULL,
  PRIMARY KEY (organizer, site)
);

INSERT INTO site_grant (organizer, site, site_end, device, given, used)
  SELECT organizer, site, site_end, device, given, used FROM site_grant_before;

DROP TABLE site_grant_before;

CREATE INDEX site_grant_by_device ON site_grant (organizer, device);

-- Whose request was answered, so that the answers are found by their key where the organizer went.
ALTER TABLE kept_answer ADD COLUMN organizer BIGINT;

-- Ids below came with organizers from other servers: a program that has any of them at hand gives them to nothing new.
ALTER TABLE node ADD COLUMN ids_from BIGINT NOT NULL DEFAULT 0;
