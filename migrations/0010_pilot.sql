CREATE TABLE `pilot_decisions` (
	`session_id` text NOT NULL,
	`step` integer NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`at` integer NOT NULL,
	`next` text,
	`instruction` text,
	`reason` text NOT NULL,
	`evidence` text NOT NULL,
	`status` text NOT NULL,
	`outcome` text NOT NULL,
	PRIMARY KEY(`session_id`, `step`)
);
--> statement-breakpoint
CREATE TABLE `pilot_runs` (
	`session_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`generation` integer NOT NULL,
	`step` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`state` text,
	`policy` text,
	`wait_key` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `pilot_runs_unfinished` ON `pilot_runs` (`finished_at`,`due_at`,`session_id`);--> statement-breakpoint
CREATE INDEX `pilot_runs_by_status` ON `pilot_runs` (`account_id`,`status`,`updated_at`);--> statement-breakpoint
CREATE TABLE `pilot_steps` (
	`session_id` text NOT NULL,
	`step` integer NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL,
	`status` text NOT NULL,
	`reason` text NOT NULL,
	`effect` text,
	PRIMARY KEY(`session_id`, `step`)
);
--> statement-breakpoint
-- What a run did and decided is never changed; where it stands, `pilot_runs`, is a projection of it.
CREATE TRIGGER pilot_steps_no_update BEFORE UPDATE ON pilot_steps BEGIN
  SELECT RAISE(ABORT, 'pilot_steps is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER pilot_steps_no_delete BEFORE DELETE ON pilot_steps BEGIN
  SELECT RAISE(ABORT, 'pilot_steps is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER pilot_steps_no_replace BEFORE INSERT ON pilot_steps
WHEN EXISTS (SELECT 1 FROM pilot_steps WHERE session_id = NEW.session_id AND step = NEW.step) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER pilot_decisions_no_update BEFORE UPDATE ON pilot_decisions BEGIN
  SELECT RAISE(ABORT, 'pilot_decisions is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER pilot_decisions_no_delete BEFORE DELETE ON pilot_decisions BEGIN
  SELECT RAISE(ABORT, 'pilot_decisions is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER pilot_decisions_no_replace BEFORE INSERT ON pilot_decisions
WHEN EXISTS (SELECT 1 FROM pilot_decisions WHERE session_id = NEW.session_id AND step = NEW.step) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
-- An answer of the brain is a decision, whatever it led to, and in the same transaction as its step.
CREATE TRIGGER pilot_decisions_from_steps AFTER INSERT ON pilot_steps
WHEN json_extract(NEW.event, '$.type') IN ('decided', 'undecided', 'unavailable') BEGIN
  INSERT INTO pilot_decisions (session_id, step, account_id, actor_id, at, next, instruction, reason, evidence, status, outcome)
  VALUES (
    NEW.session_id, NEW.step, NEW.account_id, NEW.actor_id, NEW.at,
    json_extract(NEW.event, '$.decision.next'),
    json_extract(NEW.event, '$.decision.instruction'),
    coalesce(json_extract(NEW.event, '$.decision.reason'), json_extract(NEW.event, '$.problem'), json_extract(NEW.event, '$.reason'), ''),
    coalesce(json_extract(NEW.event, '$.witnessed'), '[]'),
    NEW.status, NEW.reason
  );
END;
