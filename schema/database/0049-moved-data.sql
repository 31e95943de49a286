-- Where the data went that were here: such a database is not served any more. And on which database server, and on which
-- line of its history, the data were written last: on another one, something may be missing that was acknowledged.
ALTER TABLE node ADD COLUMN moved_to TEXT;
ALTER TABLE node ADD COLUMN written_on TEXT;
