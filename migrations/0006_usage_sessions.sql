CREATE TABLE `usage_sessions` (
	`account_id` text NOT NULL,
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
	PRIMARY KEY(`account_id`, `session_id`, `provenance`, `payer`)
);
--> statement-breakpoint
-- What is there already, from the sums by day that hold the same entries.
INSERT INTO usage_sessions (account_id, session_id, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
SELECT account_id, session_id, provenance, payer, bucket, sum(micro_usd), sum(input_tokens), sum(output_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(entries), sum(unpriced)
FROM usage_session_days GROUP BY account_id, session_id, provenance, payer, bucket;
--> statement-breakpoint
CREATE TRIGGER usage_entries_summed_by_session AFTER INSERT ON usage_entries BEGIN
  INSERT INTO usage_sessions (account_id, session_id, provenance, payer, bucket, micro_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, entries, unpriced)
  VALUES (NEW.account_id, NEW.session_id, NEW.provenance, NEW.payer, NEW.bucket, coalesce(NEW.micro_usd, 0), NEW.input_tokens, NEW.output_tokens, NEW.cache_read_tokens, NEW.cache_write_tokens, 1, NEW.micro_usd IS NULL)
  ON CONFLICT (account_id, session_id, provenance, payer) DO UPDATE SET
    micro_usd = micro_usd + excluded.micro_usd,
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
    cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
    entries = entries + excluded.entries,
    unpriced = unpriced + excluded.unpriced;
END;
