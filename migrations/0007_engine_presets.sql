CREATE TABLE `engine_presets` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`preset_id` text NOT NULL,
	`version` integer NOT NULL,
	`preset` text,
	`saved_by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `preset_id`, `version`)
);
--> statement-breakpoint
-- Each save of an engine is a version of its own, and what ran under an earlier one stays known.
CREATE TRIGGER engine_presets_no_update BEFORE UPDATE ON engine_presets BEGIN
  SELECT RAISE(ABORT, 'engine_presets is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER engine_presets_no_delete BEFORE DELETE ON engine_presets BEGIN
  SELECT RAISE(ABORT, 'engine_presets is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER engine_presets_no_replace BEFORE INSERT ON engine_presets
WHEN EXISTS (SELECT 1 FROM engine_presets WHERE account_id = NEW.account_id AND preset_id = NEW.preset_id AND version = NEW.version) BEGIN
  SELECT RAISE(IGNORE);
END;
