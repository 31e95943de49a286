-- What each device has reported on the last day that it did: facts and bytes, and for how many days that may be.
CREATE TABLE reported_amount (
  organizer BIGINT NOT NULL,
  device BIGINT NOT NULL,
  day TEXT NOT NULL,
  days BIGINT NOT NULL,
  facts BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (organizer, device)
);
