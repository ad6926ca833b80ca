CREATE TABLE `access_log` (
	`request_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`principal_kind` text NOT NULL,
	`principal_name` text NOT NULL,
	`operation` text NOT NULL,
	`target` text NOT NULL,
	`status` integer NOT NULL,
	`error_code` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `access_log_by_time` ON `access_log` (`account_id`,`at`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `act_outcomes` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`act_id` text NOT NULL,
	`outcome` text NOT NULL,
	PRIMARY KEY(`session_id`, `act_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `acts` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`act_id` text NOT NULL,
	`turn_id` text,
	`tool_id` text,
	`engine_id` text NOT NULL,
	`rehearsal` integer NOT NULL,
	`kind` text NOT NULL,
	`target` text,
	`command` text NOT NULL,
	`command_sha256` text NOT NULL,
	`witness` text NOT NULL,
	`uncertain` integer NOT NULL,
	PRIMARY KEY(`session_id`, `act_id`)
);
--> statement-breakpoint
CREATE INDEX `acts_by_time` ON `acts` (`account_id`,`at`,`act_id`);--> statement-breakpoint
CREATE INDEX `acts_by_kind` ON `acts` (`account_id`,`kind`,`at`,`act_id`);--> statement-breakpoint
CREATE TABLE `approval_decisions` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`request_id` text NOT NULL,
	`origin` text NOT NULL,
	`decision` text NOT NULL,
	`answer_sha256` text,
	`channel` text,
	PRIMARY KEY(`session_id`, `request_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `approval_requests` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`request_id` text NOT NULL,
	`turn_id` text,
	`tool_id` text,
	`kind` text NOT NULL,
	`tool_name` text NOT NULL,
	`acts` text NOT NULL,
	`input_sha256` text NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`session_id`, `request_id`)
);
--> statement-breakpoint
CREATE TABLE `credentials` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`runner_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `credentials_by_runner` ON `credentials` (`account_id`,`runner_id`);--> statement-breakpoint
CREATE TABLE `runners` (
	`runner_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runners_by_account` ON `runners` (`account_id`,`runner_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`title` text NOT NULL,
	`engine_id` text NOT NULL,
	`rehearsal` integer NOT NULL,
	`directory` text,
	`state` text NOT NULL,
	`reason` text,
	`pending_approvals` integer NOT NULL,
	`spend` text NOT NULL,
	`acts` integer NOT NULL,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_account` ON `sessions` (`account_id`,`created_at`,`session_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_runner` ON `sessions` (`account_id`,`runner_id`,`created_at`,`session_id`);--> statement-breakpoint
CREATE TABLE `usage_entries` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`turn_id` text NOT NULL,
	`model` text NOT NULL,
	`source_seq` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`engine_id` text NOT NULL,
	`directory` text,
	`provenance` text NOT NULL,
	`payer` text NOT NULL,
	`bucket` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`cache_write_tokens` integer NOT NULL,
	`micro_usd` integer,
	PRIMARY KEY(`session_id`, `turn_id`, `model`, `source_seq`, `ordinal`)
);
--> statement-breakpoint
CREATE INDEX `usage_by_time` ON `usage_entries` (`account_id`,`at`,`session_id`,`source_seq`);