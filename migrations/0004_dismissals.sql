ALTER TABLE `sessions` ADD `dismissed_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `dismissed_by` text;