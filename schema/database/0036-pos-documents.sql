-- Receipts and closings that apps for tills keep by themselves, as they were sent.
CREATE TABLE pos_document (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  id BIGINT NOT NULL,
  device BIGINT NOT NULL,
  kind TEXT NOT NULL,
  local_id BIGINT NOT NULL,
  received TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, device) REFERENCES device (organizer, id)
);

CREATE UNIQUE INDEX pos_document_of_device ON pos_document (organizer, device, kind, local_id);
