-- The foundation: every table that a check-in needs. Portable to SQLite and PostgreSQL; never changed after its release.

CREATE TABLE node (
  id BIGINT NOT NULL PRIMARY KEY,
  site BIGINT NOT NULL,
  next_id BIGINT NOT NULL,
  epoch TEXT NOT NULL
);

CREATE TABLE organizer (
  id BIGINT NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  settings TEXT NOT NULL
);

CREATE TABLE app_user (
  id BIGINT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  fullname TEXT,
  locale TEXT NOT NULL,
  timezone TEXT NOT NULL,
  is_staff SMALLINT NOT NULL,
  created TEXT NOT NULL
);

CREATE TABLE feed (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (organizer, event)
);

CREATE TABLE change (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  resource TEXT NOT NULL,
  row_id BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  op TEXT NOT NULL,
  site BIGINT NOT NULL,
  PRIMARY KEY (organizer, event, resource, row_id)
);

CREATE INDEX change_by_seq ON change (organizer, event, seq);

CREATE TABLE audit (
  organizer BIGINT NOT NULL,
  id BIGINT NOT NULL,
  event BIGINT NOT NULL,
  at TEXT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor BIGINT NOT NULL,
  action TEXT NOT NULL,
  resource TEXT NOT NULL,
  row_id BIGINT NOT NULL,
  data TEXT,
  PRIMARY KEY (organizer, id)
);

CREATE INDEX audit_by_resource ON audit (organizer, event, resource, at);

CREATE TABLE station (
  id BIGINT NOT NULL PRIMARY KEY,
  settings TEXT NOT NULL
);

CREATE TABLE gate (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE device (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "device_id" BIGINT NOT NULL,
  "unique_serial" TEXT NOT NULL,
  "initialization_token" TEXT,
  "name" TEXT NOT NULL,
  "all_events" SMALLINT NOT NULL,
  "limit_events" TEXT NOT NULL,
  "security_profile" TEXT NOT NULL,
  "gate" BIGINT,
  "revoked" SMALLINT NOT NULL,
  "created" TEXT NOT NULL,
  "initialized" TEXT,
  "hardware_brand" TEXT,
  "hardware_model" TEXT,
  "os_name" TEXT,
  "os_version" TEXT,
  "software_brand" TEXT,
  "software_version" TEXT,
  "id" BIGINT NOT NULL,
  "token_hash" TEXT,
  "site" BIGINT,
  "info" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "gate") REFERENCES gate (organizer, id)
);

CREATE TABLE team (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "all_events" SMALLINT NOT NULL,
  "limit_events" TEXT NOT NULL,
  "can_create_events" SMALLINT NOT NULL,
  "can_change_teams" SMALLINT NOT NULL,
  "can_change_organizer_settings" SMALLINT NOT NULL,
  "can_manage_customers" SMALLINT NOT NULL,
  "can_manage_gift_cards" SMALLINT NOT NULL,
  "can_change_event_settings" SMALLINT NOT NULL,
  "can_change_items" SMALLINT NOT NULL,
  "can_view_orders" SMALLINT NOT NULL,
  "can_change_orders" SMALLINT NOT NULL,
  "can_view_vouchers" SMALLINT NOT NULL,
  "can_change_vouchers" SMALLINT NOT NULL,
  "can_checkin_orders" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id)
);

CREATE TABLE team_token (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "active" SMALLINT NOT NULL,
  "team" BIGINT NOT NULL,
  "token_hash" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "team") REFERENCES team (organizer, id)
);

CREATE TABLE team_member (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "id" BIGINT NOT NULL,
  "user" BIGINT NOT NULL,
  "team" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "team") REFERENCES team (organizer, id)
);

CREATE TABLE event (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  "name" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "live" SMALLINT NOT NULL,
  "testmode" SMALLINT NOT NULL,
  "currency" TEXT NOT NULL,
  "date_from" TEXT NOT NULL,
  "date_to" TEXT,
  "date_admission" TEXT,
  "is_public" SMALLINT NOT NULL,
  "presale_start" TEXT,
  "presale_end" TEXT,
  "location" TEXT,
  "geo_lat" DOUBLE PRECISION,
  "geo_lon" DOUBLE PRECISION,
  "has_subevents" SMALLINT NOT NULL,
  "meta_data" TEXT NOT NULL,
  "plugins" TEXT NOT NULL,
  "seating_plan" BIGINT,
  "seat_category_mapping" TEXT NOT NULL,
  "timezone" TEXT NOT NULL,
  "item_meta_properties" TEXT NOT NULL,
  "sales_channels" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "settings" TEXT NOT NULL,
  "cloned_from" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, "cloned_from") REFERENCES event (organizer, id)
);

CREATE TABLE category (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "internal_name" TEXT,
  "description" TEXT,
  "position" BIGINT NOT NULL,
  "is_addon" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE TABLE tax_rule (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "internal_name" TEXT,
  "rate" BIGINT NOT NULL,
  "price_includes_tax" SMALLINT NOT NULL,
  "eu_reverse_charge" SMALLINT NOT NULL,
  "home_country" TEXT NOT NULL,
  "keep_gross_if_rate_changes" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE TABLE subevent (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "active" SMALLINT NOT NULL,
  "is_public" SMALLINT NOT NULL,
  "date_from" TEXT NOT NULL,
  "date_to" TEXT,
  "date_admission" TEXT,
  "presale_start" TEXT,
  "presale_end" TEXT,
  "frontpage_text" TEXT,
  "location" TEXT,
  "geo_lat" DOUBLE PRECISION,
  "geo_lon" DOUBLE PRECISION,
  "item_price_overrides" TEXT NOT NULL,
  "variation_price_overrides" TEXT NOT NULL,
  "meta_data" TEXT NOT NULL,
  "seating_plan" BIGINT,
  "seat_category_mapping" TEXT NOT NULL,
  "last_modified" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE TABLE item (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "internal_name" TEXT,
  "active" SMALLINT NOT NULL,
  "category" BIGINT,
  "description" TEXT,
  "default_price" BIGINT NOT NULL,
  "original_price" BIGINT,
  "free_price" SMALLINT NOT NULL,
  "tax_rule" BIGINT,
  "admission" SMALLINT NOT NULL,
  "position" BIGINT NOT NULL,
  "picture" TEXT,
  "sales_channels" TEXT NOT NULL,
  "available_from" TEXT,
  "available_until" TEXT,
  "hidden_if_available" BIGINT,
  "require_voucher" SMALLINT NOT NULL,
  "hide_without_voucher" SMALLINT NOT NULL,
  "allow_cancel" SMALLINT NOT NULL,
  "allow_waitinglist" SMALLINT NOT NULL,
  "min_per_order" BIGINT,
  "max_per_order" BIGINT,
  "checkin_attention" SMALLINT NOT NULL,
  "checkin_text" TEXT,
  "require_approval" SMALLINT NOT NULL,
  "require_bundling" SMALLINT NOT NULL,
  "generate_tickets" SMALLINT,
  "show_quota_left" SMALLINT,
  "issue_giftcard" SMALLINT NOT NULL,
  "require_membership" SMALLINT NOT NULL,
  "require_membership_hidden" SMALLINT NOT NULL,
  "require_membership_types" TEXT NOT NULL,
  "grant_membership_type" BIGINT,
  "grant_membership_duration_like_event" SMALLINT NOT NULL,
  "grant_membership_duration_days" BIGINT NOT NULL,
  "grant_membership_duration_months" BIGINT NOT NULL,
  "meta_data" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "category") REFERENCES category (organizer, id),
  FOREIGN KEY (organizer, "tax_rule") REFERENCES tax_rule (organizer, id)
);

CREATE TABLE variation (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "value" TEXT NOT NULL,
  "default_price" BIGINT,
  "original_price" BIGINT,
  "active" SMALLINT NOT NULL,
  "description" TEXT,
  "position" BIGINT NOT NULL,
  "checkin_attention" SMALLINT NOT NULL,
  "checkin_text" TEXT,
  "require_approval" SMALLINT NOT NULL,
  "require_membership" SMALLINT NOT NULL,
  "require_membership_hidden" SMALLINT NOT NULL,
  "require_membership_types" TEXT NOT NULL,
  "sales_channels" TEXT NOT NULL,
  "available_from" TEXT,
  "available_until" TEXT,
  "hide_without_voucher" SMALLINT NOT NULL,
  "item" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id)
);

CREATE TABLE item_addon (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "addon_category" BIGINT NOT NULL,
  "min_count" BIGINT NOT NULL,
  "max_count" BIGINT NOT NULL,
  "position" BIGINT NOT NULL,
  "multi_allowed" SMALLINT NOT NULL,
  "price_included" SMALLINT NOT NULL,
  "item" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "addon_category") REFERENCES category (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id)
);

CREATE TABLE item_bundle (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "bundled_item" BIGINT NOT NULL,
  "bundled_variation" BIGINT,
  "count" BIGINT NOT NULL,
  "designated_price" BIGINT NOT NULL,
  "item" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "bundled_item") REFERENCES item (organizer, id),
  FOREIGN KEY (organizer, "bundled_variation") REFERENCES variation (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id)
);

CREATE TABLE quota (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "size" BIGINT,
  "items" TEXT NOT NULL,
  "variations" TEXT NOT NULL,
  "subevent" BIGINT,
  "close_when_sold_out" SMALLINT NOT NULL,
  "closed" SMALLINT NOT NULL,
  "release_after_exit" SMALLINT NOT NULL,
  "position" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id)
);

CREATE TABLE question (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "question" TEXT NOT NULL,
  "help_text" TEXT,
  "type" TEXT NOT NULL,
  "required" SMALLINT NOT NULL,
  "position" BIGINT NOT NULL,
  "items" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  "ask_during_checkin" SMALLINT NOT NULL,
  "show_during_checkin" SMALLINT NOT NULL,
  "hidden" SMALLINT NOT NULL,
  "print_on_invoice" SMALLINT NOT NULL,
  "valid_number_min" TEXT,
  "valid_number_max" TEXT,
  "valid_date_min" TEXT,
  "valid_date_max" TEXT,
  "valid_datetime_min" TEXT,
  "valid_datetime_max" TEXT,
  "valid_string_length_max" BIGINT,
  "valid_file_portrait" SMALLINT NOT NULL,
  "dependency_question" BIGINT,
  "dependency_values" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "dependency_question") REFERENCES question (organizer, id)
);

CREATE TABLE question_option (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "identifier" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "answer" TEXT NOT NULL,
  "question" BIGINT NOT NULL,
  "active" SMALLINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "question") REFERENCES question (organizer, id)
);

CREATE TABLE checkin_list (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "name" TEXT NOT NULL,
  "all_products" SMALLINT NOT NULL,
  "limit_products" TEXT NOT NULL,
  "subevent" BIGINT,
  "include_pending" SMALLINT NOT NULL,
  "auto_checkin_sales_channels" TEXT NOT NULL,
  "allow_multiple_entries" SMALLINT NOT NULL,
  "allow_entry_after_exit" SMALLINT NOT NULL,
  "rules" TEXT NOT NULL,
  "exit_all_at" TEXT,
  "addon_match" SMALLINT NOT NULL,
  "exit_all_local" TEXT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id)
);

CREATE TABLE orders (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "code" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "testmode" SMALLINT NOT NULL,
  "secret" TEXT NOT NULL,
  "email" TEXT,
  "phone" TEXT,
  "customer" TEXT,
  "locale" TEXT NOT NULL,
  "sales_channel" TEXT NOT NULL,
  "datetime" TEXT NOT NULL,
  "expires" TEXT NOT NULL,
  "payment_date" TEXT,
  "payment_provider" TEXT,
  "total" BIGINT NOT NULL,
  "comment" TEXT NOT NULL,
  "custom_followup_at" TEXT,
  "checkin_attention" SMALLINT NOT NULL,
  "checkin_text" TEXT,
  "invoice_address" TEXT,
  "require_approval" SMALLINT NOT NULL,
  "valid_if_pending" SMALLINT NOT NULL,
  "last_modified" TEXT NOT NULL,
  "cancellation_date" TEXT,
  "id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id)
);

CREATE TABLE order_position (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "positionid" BIGINT NOT NULL,
  "canceled" SMALLINT NOT NULL,
  "item" BIGINT NOT NULL,
  "variation" BIGINT,
  "price" BIGINT NOT NULL,
  "attendee_name" TEXT,
  "attendee_name_parts" TEXT NOT NULL,
  "attendee_email" TEXT,
  "company" TEXT,
  "street" TEXT,
  "zipcode" TEXT,
  "city" TEXT,
  "country" TEXT,
  "state" TEXT,
  "voucher" BIGINT,
  "tax_rate" BIGINT NOT NULL,
  "tax_value" BIGINT NOT NULL,
  "tax_rule" BIGINT,
  "secret" TEXT NOT NULL,
  "addon_to" BIGINT,
  "subevent" BIGINT,
  "discount" BIGINT,
  "pseudonymization_id" TEXT NOT NULL,
  "answers" TEXT NOT NULL,
  "seat" TEXT,
  "blocked" TEXT,
  "valid_from" TEXT,
  "valid_until" TEXT,
  "order_id" BIGINT NOT NULL,
  "name_key" TEXT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "item") REFERENCES item (organizer, id),
  FOREIGN KEY (organizer, "variation") REFERENCES variation (organizer, id),
  FOREIGN KEY (organizer, "tax_rule") REFERENCES tax_rule (organizer, id),
  FOREIGN KEY (organizer, "addon_to") REFERENCES order_position (organizer, id),
  FOREIGN KEY (organizer, "subevent") REFERENCES subevent (organizer, id),
  FOREIGN KEY (organizer, "order_id") REFERENCES orders (organizer, id)
);

CREATE TABLE order_fee (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "fee_type" TEXT NOT NULL,
  "value" BIGINT NOT NULL,
  "description" TEXT NOT NULL,
  "internal_type" TEXT NOT NULL,
  "tax_rate" BIGINT NOT NULL,
  "tax_value" BIGINT NOT NULL,
  "tax_rule" BIGINT,
  "canceled" SMALLINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "tax_rule") REFERENCES tax_rule (organizer, id),
  FOREIGN KEY (organizer, "order_id") REFERENCES orders (organizer, id)
);

CREATE TABLE order_payment (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "local_id" BIGINT NOT NULL,
  "state" TEXT NOT NULL,
  "amount" BIGINT NOT NULL,
  "created" TEXT NOT NULL,
  "payment_date" TEXT,
  "provider" TEXT NOT NULL,
  "details" TEXT NOT NULL,
  "id" BIGINT NOT NULL,
  "order_id" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "order_id") REFERENCES orders (organizer, id)
);

CREATE TABLE revoked_secret (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "secret" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "position" BIGINT,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "position") REFERENCES order_position (organizer, id)
);

CREATE TABLE checkin (
  organizer BIGINT NOT NULL REFERENCES organizer (id),
  event BIGINT NOT NULL,
  "id" BIGINT NOT NULL,
  "successful" SMALLINT NOT NULL,
  "error_reason" TEXT,
  "error_explanation" TEXT,
  "position" BIGINT,
  "datetime" TEXT NOT NULL,
  "created" TEXT NOT NULL,
  "list" BIGINT NOT NULL,
  "auto_checked_in" SMALLINT NOT NULL,
  "gate" BIGINT,
  "device" BIGINT,
  "type" TEXT NOT NULL,
  "nonce" TEXT,
  "forced" SMALLINT NOT NULL,
  "force_sent" SMALLINT NOT NULL,
  "raw_barcode" TEXT,
  "raw_source_type" TEXT,
  "raw_item" BIGINT,
  "raw_variation" BIGINT,
  "raw_subevent" BIGINT,
  "ordinal" BIGINT,
  "site" BIGINT NOT NULL,
  PRIMARY KEY (organizer, id),
  FOREIGN KEY (organizer, event) REFERENCES event (organizer, id),
  FOREIGN KEY (organizer, "position") REFERENCES order_position (organizer, id),
  FOREIGN KEY (organizer, "list") REFERENCES checkin_list (organizer, id),
  FOREIGN KEY (organizer, "gate") REFERENCES gate (organizer, id),
  FOREIGN KEY (organizer, "device") REFERENCES device (organizer, id)
);

CREATE UNIQUE INDEX event_slug ON event (organizer, slug);

CREATE INDEX category_of_event ON category (organizer, event, "position", id);

CREATE INDEX tax_rule_of_event ON tax_rule (organizer, event, id);

CREATE INDEX subevent_of_event ON subevent (organizer, event, date_from, id);

CREATE INDEX item_of_event ON item (organizer, event, "position", id);

CREATE INDEX variation_of_item ON variation (organizer, item, "position", id);

CREATE INDEX variation_of_event ON variation (organizer, event, id);

CREATE INDEX item_addon_of_item ON item_addon (organizer, item, "position", id);

CREATE INDEX item_addon_of_event ON item_addon (organizer, event, id);

CREATE INDEX item_bundle_of_item ON item_bundle (organizer, item, id);

CREATE INDEX item_bundle_of_event ON item_bundle (organizer, event, id);

CREATE INDEX quota_of_event ON quota (organizer, event, "position", id);

CREATE INDEX question_of_event ON question (organizer, event, "position", id);

CREATE UNIQUE INDEX question_identifier ON question (organizer, event, lower("identifier"));

CREATE UNIQUE INDEX question_option_identifier ON question_option (organizer, event, lower("identifier"));

CREATE INDEX question_option_of_question ON question_option (organizer, question, "position", id);

CREATE INDEX question_option_of_event ON question_option (organizer, event, id);

CREATE INDEX checkin_list_of_event ON checkin_list (organizer, event, name, id);

CREATE UNIQUE INDEX order_code ON orders (organizer, code);

CREATE INDEX order_by_time ON orders (organizer, event, datetime, id);

CREATE INDEX order_by_status ON orders (organizer, event, status, id);

CREATE INDEX order_by_change ON orders (organizer, event, last_modified, id);

CREATE UNIQUE INDEX position_secret ON order_position (organizer, event, secret);

CREATE INDEX position_by_secret ON order_position (organizer, secret);

CREATE INDEX position_of_order ON order_position (organizer, order_id, positionid);

CREATE INDEX position_of_parent ON order_position (organizer, addon_to);

CREATE INDEX position_by_name ON order_position (organizer, event, name_key, positionid, id);

CREATE INDEX position_of_item ON order_position (organizer, item, variation, subevent, canceled);

CREATE INDEX fee_of_order ON order_fee (organizer, order_id, id);

CREATE INDEX payment_of_order ON order_payment (organizer, order_id, local_id);

CREATE INDEX revoked_by_secret ON revoked_secret (organizer, secret);

CREATE INDEX revoked_by_time ON revoked_secret (organizer, event, created, id);

CREATE INDEX checkin_of_position ON checkin (organizer, "position", list);

CREATE UNIQUE INDEX checkin_ordinal ON checkin (organizer, list, "position", site, ordinal);

CREATE INDEX checkin_by_nonce ON checkin (organizer, nonce);

CREATE INDEX checkin_by_time ON checkin (organizer, event, datetime, id);

CREATE UNIQUE INDEX device_number ON device (organizer, device_id);

CREATE INDEX device_by_token ON device (token_hash);

CREATE INDEX device_by_initialization ON device (initialization_token);

CREATE INDEX token_by_hash ON team_token (token_hash);

CREATE INDEX token_of_team ON team_token (organizer, team, name);

CREATE UNIQUE INDEX team_member_once ON team_member (organizer, team, "user");

CREATE UNIQUE INDEX gate_identifier ON gate (organizer, lower("identifier"));

CREATE TABLE imported_guest (
  organizer BIGINT NOT NULL,
  event BIGINT NOT NULL,
  guest_key TEXT NOT NULL,
  order_id BIGINT NOT NULL,
  PRIMARY KEY (organizer, event, guest_key)
);
