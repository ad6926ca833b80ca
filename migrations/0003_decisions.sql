CREATE TABLE `decision_keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`repository` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`made_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `decision_keys_by_token` ON `decision_keys` (`token_hash`);--> statement-breakpoint
CREATE INDEX `decision_keys_by_account` ON `decision_keys` (`account_id`,`repository`,`key_id`);--> statement-breakpoint
CREATE TABLE `decision_reports` (
	`report_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`key_id` text NOT NULL,
	`repository` text NOT NULL,
	`branch` text NOT NULL,
	`commit_sha` text NOT NULL,
	`mode` text NOT NULL,
	`exit_code` integer NOT NULL,
	`tool_version` text NOT NULL,
	`started_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`counts` text NOT NULL,
	`report` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `decision_reports_once` ON `decision_reports` (`account_id`,`repository`,`commit_sha`,`started_at`);--> statement-breakpoint
CREATE INDEX `decision_reports_by_branch` ON `decision_reports` (`account_id`,`repository`,`branch`,`started_at`,`report_id`);--> statement-breakpoint
-- A key is not made into another one, does not come back once it was revoked, and stays in sight.
CREATE TRIGGER decision_keys_fixed BEFORE UPDATE ON decision_keys
WHEN NEW.key_id IS NOT OLD.key_id OR NEW.account_id IS NOT OLD.account_id OR NEW.repository IS NOT OLD.repository
  OR NEW.token_hash IS NOT OLD.token_hash OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at) BEGIN
  SELECT RAISE(ABORT, 'a key of decision_keys stays what it is: make another one');
END;
--> statement-breakpoint
CREATE TRIGGER decision_keys_no_delete BEFORE DELETE ON decision_keys BEGIN
  SELECT RAISE(ABORT, 'decision_keys are revoked, not deleted');
END;
--> statement-breakpoint
-- What a build posted stays as it was posted. Old rows may go: a report is a copy of what the
-- build printed, kept as far back as anybody looks, and no ledger.
CREATE TRIGGER decision_reports_no_update BEFORE UPDATE ON decision_reports BEGIN
  SELECT RAISE(ABORT, 'a posted report is not changed: post another one');
END;
--> statement-breakpoint
CREATE TRIGGER decision_reports_no_replace BEFORE INSERT ON decision_reports
WHEN EXISTS (SELECT 1 FROM decision_reports WHERE account_id = NEW.account_id AND repository = NEW.repository AND commit_sha = NEW.commit_sha AND started_at = NEW.started_at) BEGIN
  SELECT RAISE(IGNORE);
END;
