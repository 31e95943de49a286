-- Mails to be sent; kept by the server that owns the data. Accounts belong to no organizer: 0. What was sent keeps no text.
CREATE TABLE mail (
  id BIGINT NOT NULL PRIMARY KEY,
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  "template" TEXT NOT NULL,
  "recipient" TEXT NOT NULL,
  "locale" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  -- The order, or the one position of it, that the mail is about.
  order_id BIGINT,
  position_id BIGINT,
  -- Whether its tickets go with it.
  "tickets" BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "attempts" BIGINT NOT NULL,
  "created" TEXT NOT NULL,
  -- When it is tried next, or when it was settled.
  "due" TEXT NOT NULL,
  -- Why it was not sent so far.
  "trouble" TEXT
);

CREATE INDEX mail_due ON mail ("state", "due");

-- What became of automated mails that were due: one row for each rule, and for each date of a series (0 where there is none).
CREATE TABLE email_rule_turn (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  rule BIGINT NOT NULL,
  subevent BIGINT NOT NULL,
  "datetime" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  -- The last order that was written to, from which it goes on.
  last_order BIGINT NOT NULL,
  PRIMARY KEY (organizer, event, rule, subevent)
);
