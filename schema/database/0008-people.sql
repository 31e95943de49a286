-- People who sign in, and the programs they let in. Kept by the server that owns the data; no station has a copy.

-- The shared secret of the second factor, and the number of the last code that was taken, so that each is taken once.
ALTER TABLE app_user ADD COLUMN totp_secret TEXT;
ALTER TABLE app_user ADD COLUMN totp_step BIGINT;

CREATE TABLE recovery_code (
  "user" BIGINT NOT NULL REFERENCES app_user (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY ("user", code_hash)
);

CREATE TABLE user_session (
  token_hash TEXT NOT NULL PRIMARY KEY,
  id BIGINT NOT NULL UNIQUE,
  "user" BIGINT NOT NULL REFERENCES app_user (id),
  "stage" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "seen" TEXT NOT NULL,
  "agent" TEXT NOT NULL
);

CREATE INDEX session_of_user ON user_session ("user", "created");

CREATE TABLE password_reset (
  token_hash TEXT NOT NULL PRIMARY KEY,
  "user" BIGINT NOT NULL REFERENCES app_user (id),
  "expires" TEXT NOT NULL
);

CREATE INDEX reset_of_user ON password_reset ("user");

CREATE TABLE sign_in_attempt (
  key_hash TEXT NOT NULL PRIMARY KEY,
  "spent" BIGINT NOT NULL,
  "resets" TEXT NOT NULL
);

CREATE TABLE oauth_application (
  id BIGINT NOT NULL PRIMARY KEY,
  "user" BIGINT NOT NULL REFERENCES app_user (id),
  "name" TEXT NOT NULL,
  client_id TEXT NOT NULL UNIQUE,
  secret_hash TEXT,
  redirect_uris TEXT NOT NULL,
  "created" TEXT NOT NULL
);

CREATE INDEX application_of_user ON oauth_application ("user", "created");

CREATE TABLE oauth_grant (
  id BIGINT NOT NULL PRIMARY KEY,
  application BIGINT NOT NULL REFERENCES oauth_application (id),
  "user" BIGINT NOT NULL REFERENCES app_user (id),
  "scopes" TEXT NOT NULL,
  "organizers" TEXT NOT NULL,
  "created" TEXT NOT NULL
);

CREATE INDEX grant_of_user ON oauth_grant ("user", application);

CREATE INDEX grant_of_application ON oauth_grant (application);

CREATE TABLE oauth_code (
  code_hash TEXT NOT NULL PRIMARY KEY,
  grant_id BIGINT NOT NULL REFERENCES oauth_grant (id),
  redirect_uri TEXT NOT NULL,
  redirect_named SMALLINT NOT NULL,
  "challenge" TEXT,
  "expires" TEXT NOT NULL,
  "used" SMALLINT NOT NULL
);

CREATE INDEX code_of_grant ON oauth_code (grant_id);

CREATE TABLE oauth_token (
  token_hash TEXT NOT NULL PRIMARY KEY,
  grant_id BIGINT NOT NULL REFERENCES oauth_grant (id),
  "kind" TEXT NOT NULL,
  "scopes" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "expires" TEXT,
  "ended" TEXT,
  "seed" TEXT
);

CREATE INDEX oauth_token_of_grant ON oauth_token (grant_id, "kind");
