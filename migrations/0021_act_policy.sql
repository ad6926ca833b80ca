ALTER TABLE `acts` ADD `policy` text;--> statement-breakpoint
CREATE INDEX `approvals_by_time` ON `approval_requests` (`account_id`,`at`,`request_id`);