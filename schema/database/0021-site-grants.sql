-- Which numbers were given to which device: what it has used is its own for ever, the rest of them it is owed.
CREATE TABLE site_grant (
  site BIGINT NOT NULL PRIMARY KEY,
  site_end BIGINT NOT NULL,
  organizer BIGINT NOT NULL,
  device BIGINT NOT NULL,
  given TEXT NOT NULL,
  used SMALLINT NOT NULL
);

CREATE INDEX site_grant_by_device ON site_grant (organizer, device);

INSERT INTO site_grant (site, site_end, organizer, device, given, used)
  SELECT d.site, max(coalesce(d.site_end, d.site + 1)), min(d.organizer), min(d.id), min(d.created), 0
  FROM device d
  WHERE d.site IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM device hub WHERE hub.site < d.site AND hub.site_end > d.site)
  GROUP BY d.site;

-- Numbers that were given back, to be given again. After a restore nobody knows whether they were: then they are left.
CREATE TABLE free_site (
  site BIGINT NOT NULL PRIMARY KEY,
  site_end BIGINT NOT NULL,
  epoch TEXT NOT NULL
);

-- How many numbers an organizer may have, where that is not what every one may.
CREATE TABLE site_share (
  organizer BIGINT NOT NULL PRIMARY KEY,
  numbers BIGINT NOT NULL
);
