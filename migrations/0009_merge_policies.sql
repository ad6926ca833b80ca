CREATE TABLE `merge_policies` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`scope_key` text NOT NULL,
	`version` integer NOT NULL,
	`scope` text NOT NULL,
	`part` text NOT NULL,
	`widens` text,
	`saved_by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `scope_key`, `version`)
);
--> statement-breakpoint
ALTER TABLE `act_outcomes` ADD `decided_by` text;--> statement-breakpoint
ALTER TABLE `act_outcomes` ADD `reason` text;
--> statement-breakpoint
-- Each save is a version of its own: what a session was held to stays known.
CREATE TRIGGER merge_policies_no_update BEFORE UPDATE ON merge_policies BEGIN
  SELECT RAISE(ABORT, 'merge_policies is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER merge_policies_no_delete BEFORE DELETE ON merge_policies BEGIN
  SELECT RAISE(ABORT, 'merge_policies is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER merge_policies_no_replace BEFORE INSERT ON merge_policies
WHEN EXISTS (SELECT 1 FROM merge_policies WHERE account_id = NEW.account_id AND scope_key = NEW.scope_key AND version = NEW.version) BEGIN
  SELECT RAISE(IGNORE);
END;
