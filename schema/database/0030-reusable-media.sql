-- Media that stand for tickets and gift cards, and who may see and change them: for the beginning who may do so with gift
-- cards, and who sets up devices, which do so as well.
CREATE TABLE reusable_medium (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "created" TEXT NOT NULL,
  "updated" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  "claim_token" TEXT,
  "label" TEXT,
  "active" SMALLINT NOT NULL,
  "expires" TEXT,
  "customer" TEXT,
  "linked_orderpositions" TEXT NOT NULL,
  "linked_giftcard" BIGINT,
  "info" TEXT NOT NULL,
  "notes" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "linked_giftcard") REFERENCES gift_card (organizer, id)
);

CREATE UNIQUE INDEX medium_by_identifier ON reusable_medium (organizer, "identifier", "type");

CREATE INDEX medium_by_update ON reusable_medium (organizer, "updated", id);

CREATE INDEX medium_of_gift_card ON reusable_medium (organizer, "linked_giftcard") WHERE "linked_giftcard" IS NOT NULL;

ALTER TABLE team ADD COLUMN can_manage_reusable_media SMALLINT NOT NULL DEFAULT 0;

UPDATE team SET can_manage_reusable_media = 1 WHERE can_manage_gift_cards = 1 OR can_change_organizer_settings = 1;
