-- Tickets of sales that were reported and not taken in, so that a door can say more than that they are unknown.
CREATE TABLE refused_ticket (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "secret" TEXT NOT NULL,
  "device" BIGINT,
  "fact" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "device") REFERENCES device (organizer, id)
);

CREATE INDEX refused_by_secret ON refused_ticket (organizer, secret);

CREATE INDEX refused_by_sale ON refused_ticket (organizer, fact);

CREATE INDEX refused_by_device ON refused_ticket (organizer, device);
