CREATE TABLE `viewed_feeds` (
	`token_hash` text NOT NULL,
	`session_id` text NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	PRIMARY KEY(`token_hash`, `session_id`)
);
