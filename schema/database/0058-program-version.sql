-- The version of the program that has changed the database last: an older one names it where it refuses to go on with it.
ALTER TABLE node ADD COLUMN program TEXT;
