-- Drawers that were opened or closed and not reported yet: looked for before money is moved upstream.
CREATE INDEX outbox_drawers ON outbox (seq) WHERE kind IN ('drawer', 'closing');
