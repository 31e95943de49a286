-- How a station hears of updates, and which one did not work there.
ALTER TABLE device ADD COLUMN update_channel TEXT NOT NULL DEFAULT 'stable';
ALTER TABLE device ADD COLUMN update_failure TEXT;
