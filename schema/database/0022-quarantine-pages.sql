-- Where a fact in quarantine has its place, how many bytes of it are stored, and what a list shows of it, so that what
-- waits is counted and listed without reading the facts.
ALTER TABLE quarantine ADD COLUMN site BIGINT NOT NULL DEFAULT 0;

ALTER TABLE quarantine ADD COLUMN site_seq BIGINT NOT NULL DEFAULT 0;

ALTER TABLE quarantine ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;

ALTER TABLE quarantine ADD COLUMN shown TEXT;

UPDATE quarantine SET bytes = length(fact);

CREATE INDEX quarantine_waiting ON quarantine (organizer, device, site, site_seq, nonce, bytes) WHERE state = 'waiting';

CREATE INDEX quarantine_by_state ON quarantine (organizer, state, received, nonce);
