CREATE TABLE `breach_overrides` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`act_id` text NOT NULL,
	`reason` text NOT NULL,
	`channel` text NOT NULL,
	PRIMARY KEY(`session_id`, `act_id`)
);
--> statement-breakpoint
CREATE TABLE `breaches` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`act_id` text NOT NULL,
	`turn_id` text,
	`engine_id` text NOT NULL,
	`kind` text NOT NULL,
	`seen_by` text NOT NULL,
	`command` text NOT NULL,
	`rule` text NOT NULL,
	`move` text,
	`undo` text NOT NULL,
	`policy` text NOT NULL,
	PRIMARY KEY(`session_id`, `act_id`)
);
--> statement-breakpoint
CREATE INDEX `breaches_by_time` ON `breaches` (`account_id`,`at`,`act_id`,`session_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `breaches` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- What happened stays on record, and so does who answered for it.
CREATE TRIGGER breaches_no_update BEFORE UPDATE ON breaches BEGIN
  SELECT RAISE(ABORT, 'breaches is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER breaches_no_delete BEFORE DELETE ON breaches BEGIN
  SELECT RAISE(ABORT, 'breaches is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER breaches_no_replace BEFORE INSERT ON breaches
WHEN EXISTS (SELECT 1 FROM breaches WHERE session_id = NEW.session_id AND act_id = NEW.act_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER breach_overrides_no_update BEFORE UPDATE ON breach_overrides BEGIN
  SELECT RAISE(ABORT, 'breach_overrides is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER breach_overrides_no_delete BEFORE DELETE ON breach_overrides BEGIN
  SELECT RAISE(ABORT, 'breach_overrides is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER breach_overrides_no_replace BEFORE INSERT ON breach_overrides
WHEN EXISTS (SELECT 1 FROM breach_overrides WHERE session_id = NEW.session_id AND act_id = NEW.act_id) BEGIN
  SELECT RAISE(IGNORE);
END;
