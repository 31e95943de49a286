-- The starts of the program on this copy of the data, and where its feeds had come when the next one began: who follows
-- says during which start it was told what it knows, so that a disk that was put back to an earlier state is noticed.
CREATE TABLE feed_start (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  ended TEXT
);

CREATE UNIQUE INDEX feed_start_name ON feed_start (name);
