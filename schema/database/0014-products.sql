-- What can be said of the products of an event.

CREATE TABLE item_meta_property (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "default" TEXT NOT NULL,
  "required" SMALLINT NOT NULL,
  "allowed_values" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE UNIQUE INDEX item_meta_property_name ON item_meta_property (organizer, event, "name");

-- The ticket that a membership came with.
ALTER TABLE membership ADD COLUMN "granted_by" BIGINT;

CREATE INDEX membership_of_ticket ON membership (organizer, "granted_by");
