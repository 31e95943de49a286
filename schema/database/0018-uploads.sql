-- Files that were uploaded: for a day, or with the position whose answer or the item whose picture they are. Their bytes
-- are base64 text.

CREATE TABLE uploaded_file (
  organizer BIGINT NOT NULL,
  id TEXT NOT NULL,
  uploader TEXT NOT NULL,
  name TEXT NOT NULL,
  "type" TEXT NOT NULL,
  content TEXT NOT NULL,
  created TEXT NOT NULL,
  "position" BIGINT,
  item BIGINT,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX file_of_position ON uploaded_file (organizer, "position") WHERE "position" IS NOT NULL;

CREATE INDEX file_of_item ON uploaded_file (organizer, item) WHERE item IS NOT NULL;

CREATE INDEX file_by_time ON uploaded_file (created) WHERE "position" IS NULL AND item IS NULL;
