-- How badges and tickets are printed, which items have which layout, and the PDFs that they are printed on.

CREATE TABLE layout_background (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "layout" BIGINT NOT NULL,
  "content" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX background_of_layout ON layout_background (organizer, "layout");

CREATE TABLE badge_layout (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "default" SMALLINT NOT NULL,
  "layout" TEXT NOT NULL,
  "background" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX badge_layout_in_event ON badge_layout (organizer, event);

CREATE TABLE badge_item (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "item" BIGINT NOT NULL,
  "layout" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id),
  FOREIGN KEY (organizer, "layout") REFERENCES badge_layout (organizer, id)
);

CREATE INDEX badge_item_in_event ON badge_item (organizer, event);

CREATE TABLE ticket_layout (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "default" SMALLINT NOT NULL,
  "layout" TEXT NOT NULL,
  "background" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE INDEX ticket_layout_in_event ON ticket_layout (organizer, event);

CREATE TABLE ticket_layout_item (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "layout" BIGINT NOT NULL,
  "item" BIGINT NOT NULL,
  "sales_channel" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "layout") REFERENCES ticket_layout (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id)
);

CREATE INDEX ticket_layout_item_in_event ON ticket_layout_item (organizer, event);
