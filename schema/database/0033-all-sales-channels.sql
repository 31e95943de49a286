-- What is sold through every sales channel, also through those that are added later; what was listed stays as listed.
ALTER TABLE event ADD COLUMN "all_sales_channels" SMALLINT NOT NULL DEFAULT 0;

ALTER TABLE item ADD COLUMN "all_sales_channels" SMALLINT NOT NULL DEFAULT 0;

ALTER TABLE variation ADD COLUMN "all_sales_channels" SMALLINT NOT NULL DEFAULT 0;

ALTER TABLE discount ADD COLUMN "all_sales_channels" SMALLINT NOT NULL DEFAULT 0;
