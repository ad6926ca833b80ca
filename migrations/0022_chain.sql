CREATE TABLE `chain_links` (
	`account_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`at` integer NOT NULL,
	`number` integer NOT NULL,
	`ledger` text NOT NULL,
	`row_key` text NOT NULL,
	`row_sha256` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`session_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `chain_links_by_row` ON `chain_links` (`session_id`,`ledger`,`row_key`);--> statement-breakpoint
CREATE INDEX `chain_links_by_account` ON `chain_links` (`account_id`,`session_id`);
--> statement-breakpoint
-- A link is what a row is compared with, so it is kept like the row.
CREATE TRIGGER chain_links_no_update BEFORE UPDATE ON chain_links BEGIN
  SELECT RAISE(ABORT, 'chain_links is append-only: add a row instead');
END;
--> statement-breakpoint
CREATE TRIGGER chain_links_no_delete BEFORE DELETE ON chain_links BEGIN
  SELECT RAISE(ABORT, 'chain_links is append-only: nothing is deleted');
END;
--> statement-breakpoint
CREATE TRIGGER chain_links_no_replace BEFORE INSERT ON chain_links
WHEN EXISTS (SELECT 1 FROM chain_links WHERE session_id = NEW.session_id AND number = NEW.number) BEGIN
  SELECT RAISE(IGNORE);
END;
