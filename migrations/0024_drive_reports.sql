CREATE TABLE `drive_reports` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`engine` text NOT NULL,
	`at` integer NOT NULL,
	`models` text NOT NULL,
	`micro_usd` integer NOT NULL,
	`unpriced` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`cache_write_tokens` integer NOT NULL,
	PRIMARY KEY(`instance_id`, `call_id`)
);
--> statement-breakpoint
ALTER TABLE `gate_decisions` ADD `seen_sha256` text;--> statement-breakpoint
CREATE TRIGGER drive_reports_no_update BEFORE UPDATE ON drive_reports BEGIN
  SELECT RAISE(ABORT, 'drive_reports is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER drive_reports_no_delete BEFORE DELETE ON drive_reports BEGIN
  SELECT RAISE(ABORT, 'drive_reports is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER drive_reports_no_replace BEFORE INSERT ON drive_reports
WHEN EXISTS (SELECT 1 FROM drive_reports WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id) BEGIN
  SELECT RAISE(IGNORE);
END;
