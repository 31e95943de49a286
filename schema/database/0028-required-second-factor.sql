-- Whether a team gives its rights only to users who have a second factor.
ALTER TABLE team ADD COLUMN require_2fa SMALLINT NOT NULL DEFAULT 0;
