CREATE TABLE `drives` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`operator_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`tool` text NOT NULL,
	`target` text,
	`at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`receipt` text NOT NULL,
	`metering` text NOT NULL,
	`micro_usd` integer,
	`ai_cli` text,
	PRIMARY KEY(`instance_id`, `call_id`)
);
--> statement-breakpoint
CREATE INDEX `drives_by_time` ON `drives` (`account_id`,`at`);--> statement-breakpoint
CREATE TABLE `gate_answers` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`answer` text NOT NULL,
	`channel` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`instance_id`, `call_id`)
);
--> statement-breakpoint
CREATE TABLE `gate_decisions` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`step` integer NOT NULL,
	`operator_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`tool` text NOT NULL,
	`target` text,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`definition_version` integer NOT NULL,
	`risk` text NOT NULL,
	`call_sha256` text NOT NULL,
	`call_bytes` integer NOT NULL,
	`effect` text NOT NULL,
	`rule` text,
	`reason` text NOT NULL,
	`acts` text NOT NULL,
	`ai_cli` text,
	`expires_at` integer,
	PRIMARY KEY(`instance_id`, `call_id`, `step`)
);
--> statement-breakpoint
CREATE INDEX `gate_decisions_by_instance` ON `gate_decisions` (`instance_id`,`at`,`call_id`,`step`);--> statement-breakpoint
CREATE TABLE `gate_outcomes` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`status` text NOT NULL,
	`code` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`instance_id`, `call_id`, `status`)
);
--> statement-breakpoint
CREATE TABLE `gate_waiting` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`call_id` text NOT NULL,
	`call` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`instance_id`, `call_id`)
);
--> statement-breakpoint
CREATE INDEX `gate_waiting_by_account` ON `gate_waiting` (`account_id`,`expires_at`);
--> statement-breakpoint
-- What was decided, said, done and written stays on record.
CREATE TRIGGER gate_decisions_no_update BEFORE UPDATE ON gate_decisions BEGIN
  SELECT RAISE(ABORT, 'gate_decisions is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER gate_decisions_no_delete BEFORE DELETE ON gate_decisions BEGIN
  SELECT RAISE(ABORT, 'gate_decisions is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER gate_decisions_no_replace BEFORE INSERT ON gate_decisions
WHEN EXISTS (SELECT 1 FROM gate_decisions WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id AND step = NEW.step) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER gate_answers_no_update BEFORE UPDATE ON gate_answers BEGIN
  SELECT RAISE(ABORT, 'gate_answers is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER gate_answers_no_delete BEFORE DELETE ON gate_answers BEGIN
  SELECT RAISE(ABORT, 'gate_answers is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER gate_answers_no_replace BEFORE INSERT ON gate_answers
WHEN EXISTS (SELECT 1 FROM gate_answers WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER gate_outcomes_no_update BEFORE UPDATE ON gate_outcomes BEGIN
  SELECT RAISE(ABORT, 'gate_outcomes is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER gate_outcomes_no_delete BEFORE DELETE ON gate_outcomes BEGIN
  SELECT RAISE(ABORT, 'gate_outcomes is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER gate_outcomes_no_replace BEFORE INSERT ON gate_outcomes
WHEN EXISTS (SELECT 1 FROM gate_outcomes WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id AND status = NEW.status) BEGIN
  SELECT RAISE(IGNORE);
END;
--> statement-breakpoint
CREATE TRIGGER drives_no_update BEFORE UPDATE ON drives BEGIN
  SELECT RAISE(ABORT, 'drives is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER drives_no_delete BEFORE DELETE ON drives BEGIN
  SELECT RAISE(ABORT, 'drives is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER drives_no_replace BEFORE INSERT ON drives
WHEN EXISTS (SELECT 1 FROM drives WHERE instance_id = NEW.instance_id AND call_id = NEW.call_id) BEGIN
  SELECT RAISE(IGNORE);
END;
