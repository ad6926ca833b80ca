CREATE TABLE `mcp_keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`name` text NOT NULL,
	`instance_id` text,
	`scopes` text NOT NULL,
	`token_hash` text NOT NULL,
	`made_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`window_at` integer NOT NULL,
	`used` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `mcp_keys_by_token` ON `mcp_keys` (`token_hash`);--> statement-breakpoint
CREATE INDEX `mcp_keys_by_account` ON `mcp_keys` (`account_id`,`key_id`);