-- What the servers of one database tell each other of how often they were asked; kept for two minutes.
CREATE TABLE rate_use (
  "server" TEXT NOT NULL,
  "number" BIGINT NOT NULL,
  "at" TEXT NOT NULL,
  "uses" TEXT NOT NULL,
  PRIMARY KEY ("server", "number")
);
CREATE INDEX rate_use_by_moment ON rate_use ("at");
