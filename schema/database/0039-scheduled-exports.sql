-- Exports that are made again and again and mailed. Only of the server at the top: neither in the change feed nor with
-- stations.
CREATE TABLE scheduled_export (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  id BIGINT NOT NULL,
  -- 0 where it is about the organizer.
  event BIGINT NOT NULL,
  "owner" BIGINT NOT NULL REFERENCES app_user (id),
  "export_identifier" TEXT NOT NULL,
  "export_form_data" TEXT NOT NULL,
  "locale" TEXT NOT NULL,
  "mail_additional_recipients" TEXT NOT NULL,
  "mail_additional_recipients_cc" TEXT NOT NULL,
  "mail_additional_recipients_bcc" TEXT NOT NULL,
  "mail_subject" TEXT NOT NULL,
  "mail_template" TEXT NOT NULL,
  "schedule_rrule" TEXT NOT NULL,
  "schedule_rrule_time" TEXT NOT NULL,
  "timezone" TEXT NOT NULL,
  "schedule_next_run" TEXT,
  "error_counter" BIGINT NOT NULL,
  -- By which address its owner reaches the server.
  "origin" TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX scheduled_export_of_event ON scheduled_export (organizer, event, id);

CREATE INDEX scheduled_export_by_next_run ON scheduled_export ("schedule_next_run");

-- The scheduled export that an export is made for, and whether what came of it was mailed.
ALTER TABLE export_run ADD COLUMN "schedule" BIGINT;

ALTER TABLE export_run ADD COLUMN "mailed" SMALLINT NOT NULL DEFAULT 0;

-- Whether it failed because there was nothing to export.
ALTER TABLE export_run ADD COLUMN "is_empty" SMALLINT NOT NULL DEFAULT 0;

CREATE INDEX export_run_of_schedule ON export_run ("schedule", "mailed");

-- The export whose file goes with a mail.
ALTER TABLE mail ADD COLUMN "export" TEXT;
