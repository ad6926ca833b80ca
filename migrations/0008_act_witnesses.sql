CREATE TABLE `act_witnesses` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`act_id` text NOT NULL,
	`witness` text NOT NULL,
	`finding` text NOT NULL,
	`place` text,
	`ref` text,
	`commit_before` text,
	`commit_after` text,
	`evidence` text NOT NULL,
	PRIMARY KEY(`session_id`, `act_id`, `position`)
);
--> statement-breakpoint
-- What a witness said stays said; a later finding is a row of its own.
CREATE TRIGGER act_witnesses_no_update BEFORE UPDATE ON act_witnesses BEGIN
  SELECT RAISE(ABORT, 'act_witnesses is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER act_witnesses_no_delete BEFORE DELETE ON act_witnesses BEGIN
  SELECT RAISE(ABORT, 'act_witnesses is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER act_witnesses_no_replace BEFORE INSERT ON act_witnesses
WHEN EXISTS (SELECT 1 FROM act_witnesses WHERE session_id = NEW.session_id AND act_id = NEW.act_id AND position = NEW.position) BEGIN
  SELECT RAISE(IGNORE);
END;
