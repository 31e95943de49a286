-- Where the data went that were here: such a database is not served any more.
ALTER TABLE node ADD COLUMN moved_to TEXT;
