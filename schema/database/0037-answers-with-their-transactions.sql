-- Answers are stored in the transaction that carries the request out. Each attempt at a request has a name, so that one
-- that was taken over commits nothing; where several programs share the database, it counts until a time that its program
-- moves on. A request that was passed upstream, without a definite answer, is not carried out here instead.
ALTER TABLE kept_answer ADD COLUMN "attempt" TEXT NOT NULL DEFAULT '';

ALTER TABLE kept_answer ADD COLUMN "until" TEXT NOT NULL DEFAULT '';

ALTER TABLE kept_answer ADD COLUMN "passed_up" SMALLINT NOT NULL DEFAULT 0;
