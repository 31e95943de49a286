-- Who buys and what they may use: gift cards, customers and memberships; seats; what is said of events; sales channels;
-- mails that are sent by rule.

CREATE TABLE event_meta_property (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "default" TEXT NOT NULL,
  "required" SMALLINT NOT NULL,
  "protected" SMALLINT NOT NULL,
  "filter_public" SMALLINT NOT NULL,
  "public_label" TEXT,
  "filter_allowed" SMALLINT NOT NULL,
  "choices" TEXT,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE sales_channel (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "identifier" TEXT NOT NULL,
  "label" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE membership_type (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "transferable" SMALLINT NOT NULL,
  "allow_parallel_usage" SMALLINT NOT NULL,
  "max_usages" BIGINT,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE customer (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "identifier" TEXT NOT NULL,
  "email" TEXT,
  "name_parts" TEXT NOT NULL,
  "is_active" SMALLINT NOT NULL,
  "is_verified" SMALLINT NOT NULL,
  "last_login" TEXT,
  "date_joined" TEXT NOT NULL,
  "locale" TEXT NOT NULL,
  "last_modified" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE membership (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "customer" TEXT NOT NULL,
  "membership_type" BIGINT NOT NULL,
  "date_start" TEXT NOT NULL,
  "date_end" TEXT NOT NULL,
  "attendee_name_parts" TEXT NOT NULL,
  "testmode" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "membership_type") REFERENCES membership_type (organizer, id)
);

CREATE TABLE gift_card (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "secret" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "value" BIGINT NOT NULL,
  "testmode" SMALLINT NOT NULL,
  "expires" TEXT,
  "conditions" TEXT,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE gift_card_transaction (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "datetime" TEXT NOT NULL,
  "value" BIGINT NOT NULL,
  "event" TEXT,
  "order" TEXT,
  "text" TEXT,
  "gift_card" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "gift_card") REFERENCES gift_card (organizer, id)
);

CREATE TABLE gift_card_acceptance (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "acceptor" TEXT NOT NULL,
  "active" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE seating_plan (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "layout" TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE seat (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "subevent" BIGINT,
  "zone_name" TEXT NOT NULL,
  "row_name" TEXT NOT NULL,
  "row_label" TEXT,
  "seat_number" TEXT NOT NULL,
  "seat_label" TEXT,
  "seat_guid" TEXT NOT NULL,
  "product" BIGINT,
  "blocked" SMALLINT NOT NULL,
  "category" TEXT NOT NULL,
  "rank" BIGINT NOT NULL,
  "x" DOUBLE PRECISION,
  "y" DOUBLE PRECISION,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id),
  FOREIGN KEY (organizer, "product") REFERENCES item (organizer, id)
);

CREATE TABLE email_rule (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "enabled" SMALLINT NOT NULL,
  "subject" TEXT NOT NULL,
  "template" TEXT NOT NULL,
  "all_products" SMALLINT NOT NULL,
  "limit_products" TEXT NOT NULL,
  "include_pending" SMALLINT NOT NULL,
  "date_is_absolute" SMALLINT NOT NULL,
  "send_date" TEXT,
  "send_offset_days" BIGINT,
  "send_offset_time" TEXT,
  "offset_to_event_end" SMALLINT NOT NULL,
  "offset_is_after" SMALLINT NOT NULL,
  "send_to" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

-- The seat that a ticket holds; none once it is canceled.
ALTER TABLE order_position ADD COLUMN "seat_id" BIGINT;

CREATE INDEX position_of_seat ON order_position (organizer, seat_id) WHERE seat_id IS NOT NULL;

CREATE UNIQUE INDEX event_meta_property_name ON event_meta_property (organizer, "name");

CREATE UNIQUE INDEX sales_channel_identifier ON sales_channel (organizer, "identifier");

CREATE UNIQUE INDEX customer_identifier ON customer (organizer, "identifier");

CREATE UNIQUE INDEX customer_email ON customer (organizer, lower("email"));

CREATE INDEX membership_of_customer ON membership (organizer, "customer", id);

CREATE UNIQUE INDEX gift_card_secret ON gift_card (organizer, lower("secret"));

CREATE INDEX gift_card_transaction_of_card ON gift_card_transaction (organizer, "gift_card", "datetime", id);

CREATE UNIQUE INDEX gift_card_acceptance_of ON gift_card_acceptance (organizer, "acceptor");

CREATE INDEX gift_card_acceptance_for ON gift_card_acceptance ("acceptor");

CREATE UNIQUE INDEX seat_guid ON seat (organizer, event, coalesce("subevent", 0), "seat_guid");

CREATE INDEX seat_of_event ON seat (organizer, event, "subevent", "rank", id);

CREATE INDEX email_rule_of_event ON email_rule (organizer, event, id);
