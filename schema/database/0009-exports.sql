-- Exports that were asked for. Only of this server: neither in the change feed nor with stations.

CREATE TABLE export_run (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  id TEXT NOT NULL,
  file TEXT NOT NULL,
  event BIGINT NOT NULL,
  exporter TEXT NOT NULL,
  task TEXT NOT NULL,
  credential TEXT NOT NULL,
  state TEXT NOT NULL,
  percentage BIGINT,
  message TEXT,
  file_name TEXT,
  media_type TEXT,
  attempts BIGINT NOT NULL,
  holder TEXT,
  created TEXT NOT NULL,
  touched TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX export_run_by_state ON export_run (state, created);

CREATE INDEX export_run_by_end ON export_run (expires);
