-- Stations, hubs and central: what joins them, what waits to be told, what was told, and what contradicts.

ALTER TABLE node ADD COLUMN site_end BIGINT NOT NULL DEFAULT 2097152;

ALTER TABLE node ADD COLUMN next_site BIGINT NOT NULL DEFAULT 1;

-- Of a device that is a hub: the end of the range of sites that it gives to its own devices.
ALTER TABLE device ADD COLUMN "site_end" BIGINT;

-- Of a hub: the ranges of sites that its former copies had, whose devices are still its own.
ALTER TABLE device ADD COLUMN "former_sites" TEXT;

-- Up to where the deletions of a feed have been forgotten, and up to where they will be once the mark is old enough.
ALTER TABLE feed ADD COLUMN pruned BIGINT NOT NULL DEFAULT 0;

ALTER TABLE feed ADD COLUMN mark_seq BIGINT NOT NULL DEFAULT 0;

ALTER TABLE feed ADD COLUMN mark_at TEXT;

CREATE INDEX change_gone ON change (organizer, event, seq) WHERE op = 'delete';

-- The latest hours at which everybody on a list was taken to have left, so that what is told late is judged by them.
ALTER TABLE checkin_list ADD COLUMN "exit_all_done" TEXT NOT NULL DEFAULT '[]';

-- The server above this one, if there is one.
CREATE TABLE upstream (
  id BIGINT NOT NULL PRIMARY KEY,
  url TEXT NOT NULL,
  organizer BIGINT NOT NULL,
  slug TEXT NOT NULL,
  device BIGINT NOT NULL,
  device_name TEXT NOT NULL,
  security_profile TEXT NOT NULL,
  token TEXT NOT NULL,
  role TEXT NOT NULL,
  site BIGINT NOT NULL,
  site_end BIGINT NOT NULL,
  with_orders SMALLINT NOT NULL,
  state TEXT NOT NULL,
  epoch TEXT,
  "cursor" TEXT,
  settings TEXT NOT NULL,
  clock_offset BIGINT,
  clock_uncertainty BIGINT,
  last_contact TEXT,
  last_data TEXT
);

-- Facts made here or passed on for others, in the order in which they are told to the server above. Never deleted
-- before the events they are about are over.
CREATE TABLE outbox (
  seq BIGINT NOT NULL PRIMARY KEY,
  nonce TEXT NOT NULL UNIQUE,
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  site BIGINT NOT NULL,
  site_seq BIGINT NOT NULL,
  device BIGINT,
  device_time TEXT NOT NULL,
  boot TEXT NOT NULL,
  mono BIGINT NOT NULL,
  clock_offset BIGINT,
  state TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  retry_at TEXT,
  reason TEXT,
  result TEXT,
  done_at TEXT
);

CREATE INDEX outbox_by_state ON outbox (state, seq);

CREATE INDEX outbox_by_site ON outbox (site, site_seq);

-- Facts that were told to this server, kept for good, so that one told again is known.
CREATE TABLE seen_fact (
  organizer BIGINT NOT NULL,
  nonce TEXT NOT NULL,
  event BIGINT NOT NULL,
  kind TEXT NOT NULL,
  site BIGINT NOT NULL,
  site_seq BIGINT NOT NULL,
  device BIGINT,
  received TEXT NOT NULL,
  status TEXT NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (organizer, nonce)
);

-- How far each node has told, and two nodes that tell under one number.
CREATE INDEX seen_fact_by_site ON seen_fact (organizer, site, site_seq);

-- Facts of devices that were revoked before they had told everything: kept for a person to look at.
CREATE TABLE quarantine (
  organizer BIGINT NOT NULL,
  nonce TEXT NOT NULL,
  device BIGINT NOT NULL,
  received TEXT NOT NULL,
  fact TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (organizer, nonce)
);

CREATE TABLE conflict (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "kind" TEXT NOT NULL,
  "severity" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "detected" TEXT NOT NULL,
  "position" BIGINT,
  "list" BIGINT,
  "checkin" BIGINT,
  "other_checkin" BIGINT,
  "device" BIGINT,
  "other_device" BIGINT,
  "datetime" TEXT NOT NULL,
  "other_datetime" TEXT,
  "data" TEXT NOT NULL,
  "note" TEXT NOT NULL,
  "resolved" TEXT,
  "resolved_by" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX conflict_of_event ON conflict (organizer, event, id);

CREATE INDEX conflict_of_position ON conflict (organizer, "position");

-- Part of a quota that a station or hub may sell by itself.
CREATE TABLE quota_lease (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "quota" BIGINT NOT NULL,
  "device" BIGINT NOT NULL,
  "site" BIGINT NOT NULL,
  "parent" BIGINT,
  "size" BIGINT NOT NULL,
  "used" BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "until" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "quota") REFERENCES quota (organizer, id),
  FOREIGN KEY (organizer, "device") REFERENCES device (organizer, id)
);

-- What the outbox says about leases, added up: on a node below another one, what may still be sold is known from what
-- was told, whatever the rows from above say meanwhile. It can be made again from the outbox at any time.
CREATE TABLE lease_ledger (
  kind TEXT NOT NULL,
  id BIGINT NOT NULL,
  sold BIGINT NOT NULL,
  size BIGINT,
  until TEXT,
  state TEXT,
  PRIMARY KEY (kind, id)
);

-- The latest time that a node below another one was sure of, so that no clock set back brings a lease to life.
CREATE TABLE lease_clock (
  id BIGINT NOT NULL PRIMARY KEY,
  "at" TEXT NOT NULL,
  mono BIGINT NOT NULL,
  boot TEXT NOT NULL
);

CREATE INDEX lease_of_quota ON quota_lease (organizer, "quota", "state");

-- Keys that sign tickets of an event; the private one never leaves the server that made it.
CREATE TABLE event_key (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "scheme" TEXT NOT NULL,
  "key_id" BIGINT NOT NULL,
  "public_key" TEXT NOT NULL,
  "private_key" TEXT,
  "created" TEXT NOT NULL,
  "retired" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE UNIQUE INDEX event_key_number ON event_key (organizer, event, "scheme", "key_id");

CREATE TABLE blocked_secret (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "secret" TEXT NOT NULL,
  "blocked" SMALLINT NOT NULL,
  "updated" TEXT NOT NULL,
  "position" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "position") REFERENCES order_position (organizer, id)
);

CREATE UNIQUE INDEX blocked_secret_code ON blocked_secret (organizer, event, "secret");

-- Scans of tickets that were judged by their signature alone, where nothing else is known of them.
CREATE INDEX checkin_of_code ON checkin (organizer, raw_barcode) WHERE "position" IS NULL;

-- When each answer of a ticket was given, so that one told later does not replace a newer one.
CREATE TABLE answer_time (
  organizer BIGINT NOT NULL,
  "position" BIGINT NOT NULL,
  question BIGINT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (organizer, "position", question)
);
