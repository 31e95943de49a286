-- People without an account who were asked into a team; each row is gone once they have accepted.
CREATE TABLE team_invite (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "email" TEXT NOT NULL,
  "email_key" TEXT NOT NULL,
  "team" BIGINT NOT NULL,
  "token_hash" TEXT NOT NULL,
  "expires" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "team") REFERENCES team (organizer, id)
);

CREATE UNIQUE INDEX team_invite_once ON team_invite (organizer, team, email_key);

CREATE INDEX team_invite_by_hash ON team_invite (token_hash);
