-- A file that was uploaded may be used several times within its day, as a copy each: the id that it was uploaded with.
ALTER TABLE uploaded_file ADD COLUMN upload TEXT NOT NULL DEFAULT '';

UPDATE uploaded_file SET upload = id;

CREATE INDEX file_by_upload ON uploaded_file (upload);
