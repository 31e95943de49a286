CREATE TABLE webhook (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "enabled" SMALLINT NOT NULL,
  "target_url" TEXT NOT NULL,
  "all_events" SMALLINT NOT NULL,
  "limit_events" TEXT NOT NULL,
  "action_types" TEXT NOT NULL,
  "signing_secret" TEXT NOT NULL,
  "former_secret" TEXT,
  "former_until" TEXT,
  PRIMARY KEY (organizer, id)
);

-- What is still to be told to whom. While a server is at it, `due` says when another one may think that it is not.
CREATE TABLE webhook_delivery (
  organizer BIGINT NOT NULL,
  webhook BIGINT NOT NULL,
  notification BIGINT NOT NULL,
  action TEXT NOT NULL,
  body TEXT NOT NULL,
  created TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  due TEXT NOT NULL,
  claimed SMALLINT NOT NULL,
  PRIMARY KEY (organizer, webhook, notification),
  FOREIGN KEY (organizer, webhook) REFERENCES webhook (organizer, id)
);

CREATE INDEX webhook_delivery_due ON webhook_delivery (organizer, webhook, due, notification);

CREATE TABLE webhook_attempt (
  organizer BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "webhook" BIGINT NOT NULL,
  "datetime" TEXT NOT NULL,
  "notification_id" BIGINT NOT NULL,
  "action_type" TEXT NOT NULL,
  "target_url" TEXT NOT NULL,
  "is_retry" SMALLINT NOT NULL,
  "return_code" BIGINT NOT NULL,
  "success" SMALLINT NOT NULL,
  "duration" BIGINT NOT NULL,
  "error" TEXT,
  "payload" TEXT NOT NULL,
  "response_body" TEXT NOT NULL,
  "next_attempt" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, webhook) REFERENCES webhook (organizer, id)
);

CREATE INDEX webhook_attempt_of ON webhook_attempt (organizer, webhook, id);

CREATE INDEX webhook_attempt_age ON webhook_attempt (datetime);
