CREATE TABLE `usage_days` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`engine_id` text NOT NULL,
	`directory` text NOT NULL,
	`model` text NOT NULL,
	`provenance` text NOT NULL,
	`payer` text NOT NULL,
	`bucket` text NOT NULL,
	`micro_usd` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`cache_write_tokens` integer NOT NULL,
	`entries` integer NOT NULL,
	`unpriced` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `engine_id`, `directory`, `model`, `provenance`, `payer`)
);
--> statement-breakpoint
CREATE TABLE `usage_session_days` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`session_id` text NOT NULL,
	`provenance` text NOT NULL,
	`payer` text NOT NULL,
	`bucket` text NOT NULL,
	`micro_usd` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_read_tokens` integer NOT NULL,
	`cache_write_tokens` integer NOT NULL,
	`entries` integer NOT NULL,
	`unpriced` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `session_id`, `provenance`, `payer`)
);
--> statement-breakpoint
CREATE INDEX `acts_by_session` ON `acts` (`account_id`,`session_id`,`at`,`act_id`);--> statement-breakpoint
CREATE INDEX `usage_by_session` ON `usage_entries` (`account_id`,`session_id`,`at`);
--> statement-breakpoint
-- What is there already, summed once.
INSERT INTO usage_days (account_id, day, engine_id, directory, model, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
SELECT account_id, at / 86400000, engine_id, coalesce(directory, ''), model, provenance, payer, bucket, coalesce(sum(micro_usd), 0), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens), sum(cache_write_tokens), count(*), count(*) - count(micro_usd)
FROM usage_entries GROUP BY account_id, at / 86400000, engine_id, coalesce(directory, ''), model, provenance, payer, bucket;
--> statement-breakpoint
INSERT INTO usage_session_days (account_id, day, session_id, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
SELECT account_id, at / 86400000, session_id, provenance, payer, bucket, coalesce(sum(micro_usd), 0), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens), sum(cache_write_tokens), count(*), count(*) - count(micro_usd)
FROM usage_entries GROUP BY account_id, at / 86400000, session_id, provenance, payer, bucket;
--> statement-breakpoint
-- From here on the database itself adds each entry to its sums, in the statement that adds the entry:
-- an entry that exists already is not inserted, so nothing is counted twice.
CREATE TRIGGER usage_entries_summed AFTER INSERT ON usage_entries BEGIN
  INSERT INTO usage_days (account_id, day, engine_id, directory, model, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
  VALUES (NEW.account_id, NEW.at / 86400000, NEW.engine_id, coalesce(NEW.directory, ''), NEW.model, NEW.provenance, NEW.payer, NEW.bucket, coalesce(NEW.micro_usd, 0), NEW.input_tokens, NEW.output_tokens, NEW.cache_read_tokens, NEW.cache_write_tokens, 1, NEW.micro_usd IS NULL)
  ON CONFLICT (account_id, day, engine_id, directory, model, provenance, payer) DO UPDATE SET
    micro_usd = micro_usd + excluded.micro_usd,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
    entries = entries + excluded.entries,
    unpriced = unpriced + excluded.unpriced;
  INSERT INTO usage_session_days (account_id, day, session_id, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
  VALUES (NEW.account_id, NEW.at / 86400000, NEW.session_id, NEW.provenance, NEW.payer, NEW.bucket, coalesce(NEW.micro_usd, 0), NEW.input_tokens, NEW.output_tokens, NEW.cache_read_tokens, NEW.cache_write_tokens, 1, NEW.micro_usd IS NULL)
  ON CONFLICT (account_id, day, session_id, provenance, payer) DO UPDATE SET
    micro_usd = micro_usd + excluded.micro_usd,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
    entries = entries + excluded.entries,
    unpriced = unpriced + excluded.unpriced;
END;
