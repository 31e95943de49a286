-- Each change of what orders have sold, made at the top only. What orders have sold so far is one row for each line.
CREATE TABLE order_transaction (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "created" TEXT NOT NULL,
  "datetime" TEXT NOT NULL,
  "positionid" BIGINT,
  "count" BIGINT NOT NULL,
  "item" BIGINT,
  "variation" BIGINT,
  "subevent" BIGINT,
  "price" BIGINT NOT NULL,
  "tax_rate" BIGINT NOT NULL,
  "tax_rule" BIGINT,
  "tax_value" BIGINT NOT NULL,
  "fee_type" TEXT,
  "internal_type" TEXT,
  "order_id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

INSERT INTO order_transaction (
  organizer, event, id, created, datetime, positionid, count, item, variation, subevent, price, tax_rate, tax_rule,
  tax_value, fee_type, internal_type, order_id
)
SELECT lines.organizer, lines.event,
  node.next_id - 1 + ROW_NUMBER() OVER (ORDER BY lines.datetime, lines.order_id, COALESCE(lines.positionid, 0), lines.line),
  lines.datetime, lines.datetime, lines.positionid, lines.count, lines.item, lines.variation, lines.subevent,
  lines.price, lines.tax_rate, lines.tax_rule, lines.tax_value, lines.fee_type, lines.internal_type, lines.order_id
FROM node JOIN (
  SELECT p.organizer, p.event, p.id AS line, o.datetime, p.positionid, 1 AS count, p.item, p.variation, p.subevent,
    p.price, p.tax_rate, p.tax_rule, p.tax_value, CAST(NULL AS TEXT) AS fee_type, CAST(NULL AS TEXT) AS internal_type,
    p.order_id
  FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
  WHERE p.canceled = 0 AND o.status IN ('n', 'p') AND o.require_approval = 0
  UNION ALL
  SELECT f.organizer, f.event, min(f.id), o.datetime, CAST(NULL AS BIGINT), count(*), CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), f.value, f.tax_rate, f.tax_rule, f.tax_value, f.fee_type,
    f.internal_type, f.order_id
  FROM order_fee f JOIN orders o ON o.organizer = f.organizer AND o.id = f.order_id
  WHERE f.canceled = 0 AND o.status IN ('n', 'p') AND o.require_approval = 0
  GROUP BY f.organizer, f.event, o.datetime, f.value, f.tax_rate, f.tax_rule, f.tax_value, f.fee_type, f.internal_type,
    f.order_id
) lines ON node.id = 1 AND node.site = 0;

UPDATE node SET next_id = next_id + (SELECT count(*) FROM order_transaction) WHERE id = 1 AND site = 0;

CREATE INDEX transaction_of_event ON order_transaction (organizer, event, "datetime", id);

CREATE INDEX transaction_of_organizer ON order_transaction (organizer, "datetime", id);

CREATE INDEX transaction_of_order ON order_transaction (organizer, "order_id");

-- Orders and positions of all events of an organizer by their time.
CREATE INDEX order_of_organizer_by_time ON orders (organizer, datetime, id);
