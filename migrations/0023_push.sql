CREATE TABLE `push_devices` (
	`device_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`endpoint_sha256` text NOT NULL,
	`sealed` text NOT NULL,
	`name` text NOT NULL,
	`choices` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_at` integer,
	`fault` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_devices_by_endpoint` ON `push_devices` (`account_id`,`endpoint_sha256`);--> statement-breakpoint
CREATE INDEX `push_devices_by_account` ON `push_devices` (`account_id`,`device_id`);--> statement-breakpoint
CREATE TABLE `push_keys` (
	`account_id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`public_key` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
);

