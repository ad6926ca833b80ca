ALTER TABLE `acts` ADD `claim_id` text;--> statement-breakpoint
CREATE INDEX `acts_by_claim` ON `acts` (`session_id`,`claim_id`) WHERE "acts"."claim_id" IS NOT NULL;