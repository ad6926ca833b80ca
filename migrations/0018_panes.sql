CREATE TABLE `pane_records` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`target` text NOT NULL,
	`channel` text NOT NULL,
	`kind` text NOT NULL,
	`bytes` integer,
	`batches` integer,
	`reason` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pane_records_by_time` ON `pane_records` (`account_id`,`runner_id`,`at`,`id`);
--> statement-breakpoint
-- Who watched and typed stays on record.
CREATE TRIGGER pane_records_no_update BEFORE UPDATE ON pane_records BEGIN
  SELECT RAISE(ABORT, 'pane_records is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER pane_records_no_delete BEFORE DELETE ON pane_records BEGIN
  SELECT RAISE(ABORT, 'pane_records is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER pane_records_no_replace BEFORE INSERT ON pane_records
WHEN EXISTS (SELECT 1 FROM pane_records WHERE id = NEW.id) BEGIN
  SELECT RAISE(IGNORE);
END;
