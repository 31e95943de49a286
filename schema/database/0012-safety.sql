-- Answers to requests with an idempotency key, for a day. What was answered can be read only with the key and the
-- credential that came with it: of both, nothing is stored. Without an answer the request is still being carried out.
CREATE TABLE kept_answer (
  key_hash TEXT NOT NULL PRIMARY KEY,
  "begun" TEXT NOT NULL,
  "answer" TEXT
);

CREATE INDEX kept_answer_age ON kept_answer ("begun");

-- Seals of the audit trail: each holds the digests of some entries, and a hash over them and the seal before it.
CREATE TABLE audit_seal (
  organizer BIGINT NOT NULL,
  number BIGINT NOT NULL,
  "at" TEXT NOT NULL,
  "upto" TEXT NOT NULL,
  entries TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  PRIMARY KEY (organizer, number)
);

CREATE INDEX audit_by_time ON audit (organizer, "at", id);
