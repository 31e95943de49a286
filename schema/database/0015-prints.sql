-- What was printed for tickets.

CREATE TABLE print_log (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "successful" SMALLINT NOT NULL,
  "datetime" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "info" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "device" BIGINT,
  "created" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "position") REFERENCES order_position (organizer, id),
  FOREIGN KEY (organizer, "device") REFERENCES device (organizer, id)
);

CREATE INDEX print_of_position ON print_log (organizer, "position", id);

CREATE INDEX print_by_device ON print_log (organizer, "device") WHERE "device" IS NOT NULL;
