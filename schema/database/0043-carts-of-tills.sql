-- At which till somebody holds what is in a cart; null for carts of shops and programs, which are at none.
ALTER TABLE cart_position ADD COLUMN "device" BIGINT;
