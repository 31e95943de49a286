-- The header of the request that a message is because of, so that its receiver finds what belongs together.
ALTER TABLE webhook_delivery ADD COLUMN traceparent TEXT;
