-- How many guests of a check-in list may be inside at once.
ALTER TABLE checkin_list ADD COLUMN capacity BIGINT;
