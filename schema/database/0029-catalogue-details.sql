-- Which tax rule is meant where none is named: the oldest of an event, where nobody has said.
ALTER TABLE tax_rule ADD COLUMN "default" SMALLINT NOT NULL DEFAULT 0;

UPDATE tax_rule SET "default" = 1 WHERE id = (
  SELECT min(own.id) FROM tax_rule own WHERE own.organizer = tax_rule.organizer AND own.event = tax_rule.event
);

-- Whether tickets of an item have a name on them, which so far all had that admit somebody.
ALTER TABLE item ADD COLUMN personalized SMALLINT NOT NULL DEFAULT 0;

UPDATE item SET personalized = admission;

-- What a program has noted about a change of a gift card.
ALTER TABLE gift_card_transaction ADD COLUMN info TEXT;

ALTER TABLE webhook ADD COLUMN comment TEXT;
