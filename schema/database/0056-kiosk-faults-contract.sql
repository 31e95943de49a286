-- All that keeps a kiosk out of order at once, and whether somebody has to look: what its printer says ends by itself.
DROP TABLE kiosk_fault;

CREATE TABLE kiosk_fault (
  code TEXT PRIMARY KEY,
  stays BIGINT NOT NULL,
  since TEXT NOT NULL
);

-- By the beginning of its pseudonym a desk finds the ticket of a guest for whom a kiosk could not print.
CREATE INDEX position_by_pseudonym ON order_position (organizer, pseudonymization_id);
