CREATE TABLE `github_asks` (
	`channel_id` text NOT NULL,
	`source_key` text NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`delivery_id` text,
	`issue` integer NOT NULL,
	`instruction` text NOT NULL,
	`kind` text NOT NULL,
	`turn_id` text NOT NULL,
	`verdict` text NOT NULL,
	`reason` text NOT NULL,
	`session_id` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `source_key`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `github_asks_by_delivery` ON `github_asks` (`channel_id`,`delivery_id`) WHERE "github_asks"."delivery_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `github_asks_by_issue` ON `github_asks` (`channel_id`,`issue`,`at`);--> statement-breakpoint
CREATE INDEX `github_asks_waiting` ON `github_asks` (`at`) WHERE "github_asks"."verdict" = 'waiting';--> statement-breakpoint
CREATE TABLE `github_channels` (
	`channel_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`repository` text NOT NULL,
	`label` text NOT NULL,
	`associations` text NOT NULL,
	`delivery` text NOT NULL,
	`api_url` text NOT NULL,
	`launch` text NOT NULL,
	`sealed_token` text NOT NULL,
	`sealed_secret` text,
	`polled_at` integer NOT NULL,
	`fault` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `github_channels_once` ON `github_channels` (`account_id`,`repository`);--> statement-breakpoint
CREATE TABLE `github_comments` (
	`channel_id` text NOT NULL,
	`tell_key` text NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`issue` integer NOT NULL,
	`session_id` text NOT NULL,
	`comment_id` integer,
	`at` integer NOT NULL,
	PRIMARY KEY(`channel_id`, `tell_key`)
);
--> statement-breakpoint
CREATE INDEX `github_comments_by_id` ON `github_comments` (`channel_id`,`comment_id`);