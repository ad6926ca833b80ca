CREATE TABLE `drive_looks` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`at` integer NOT NULL,
	`directory` text NOT NULL,
	`look` text NOT NULL,
	PRIMARY KEY(`instance_id`, `call_id`)
);
--> statement-breakpoint
CREATE TRIGGER drive_looks_no_update BEFORE UPDATE ON drive_looks BEGIN
  SELECT RAISE(ABORT, 'drive_looks is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER drive_looks_no_delete BEFORE DELETE ON drive_looks BEGIN
  SELECT RAISE(ABORT, 'drive_looks is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER drive_looks_no_replace BEFORE INSERT ON drive_looks
WHEN EXISTS (SELECT 1 FROM drive_looks WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id) BEGIN
  SELECT RAISE(IGNORE);
END;
