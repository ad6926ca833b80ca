CREATE TABLE `operator_definitions` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`operator_id` text NOT NULL,
	`version` integer NOT NULL,
	`body` text,
	`saved_by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`operator_id`, `version`)
);
--> statement-breakpoint
CREATE INDEX `operator_definitions_by_account` ON `operator_definitions` (`account_id`,`operator_id`);--> statement-breakpoint
CREATE TABLE `operator_instances` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`revision` integer NOT NULL,
	`operator_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`body` text NOT NULL,
	`saved_by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`instance_id`, `revision`)
);
--> statement-breakpoint
CREATE INDEX `operator_instances_by_account` ON `operator_instances` (`account_id`,`instance_id`);
--> statement-breakpoint
-- What an operator might do, and what was agreed to, stays known.
CREATE TRIGGER operator_definitions_no_update BEFORE UPDATE ON operator_definitions BEGIN
  SELECT RAISE(ABORT, 'operator_definitions is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER operator_definitions_no_delete BEFORE DELETE ON operator_definitions BEGIN
  SELECT RAISE(ABORT, 'operator_definitions is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER operator_definitions_no_replace BEFORE INSERT ON operator_definitions
WHEN EXISTS (SELECT 1 FROM operator_definitions WHERE operator_id = NEW.operator_id AND version = NEW.version) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER operator_instances_no_update BEFORE UPDATE ON operator_instances BEGIN
  SELECT RAISE(ABORT, 'operator_instances is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER operator_instances_no_delete BEFORE DELETE ON operator_instances BEGIN
  SELECT RAISE(ABORT, 'operator_instances is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER operator_instances_no_replace BEFORE INSERT ON operator_instances
WHEN EXISTS (SELECT 1 FROM operator_instances WHERE instance_id = NEW.instance_id AND revision = NEW.revision) BEGIN
  SELECT RAISE(IGNORE);
END;
