-- Since when an account is closed, where it is.
ALTER TABLE app_user ADD COLUMN "disabled" TEXT;
