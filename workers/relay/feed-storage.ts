import type { StorageStep } from '../lib/storage-migrations.ts';

/** A feed's own tables. Append a step to change them; a released step never changes. */
export const FEED_STEPS: readonly StorageStep[] = [
  `
  CREATE TABLE feed (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    runner_id TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    seq_up_to INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    projected_up_to INTEGER NOT NULL
  );
  CREATE TABLE chunks (
    first INTEGER NOT NULL,
    part INTEGER NOT NULL,
    last INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (first, part)
  ) WITHOUT ROWID;
  CREATE TABLE snapshot (
    part INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE TABLE outgoing (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    taken INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    made INTEGER NOT NULL
  );
  CREATE TABLE approvals (
    request_id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    expires_at INTEGER,
    answer TEXT
  );
  `,
  `
  CREATE TABLE lease (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key_hash TEXT NOT NULL,
    epoch INTEGER NOT NULL
  );
  `,
  `
  CREATE TABLE chain (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    starts_after INTEGER NOT NULL,
    number INTEGER,
    hash TEXT
  );
  CREATE TABLE chain_pending (
    part INTEGER PRIMARY KEY,
    text TEXT NOT NULL
  );
  `,
  // `became` is null until it is on record what came of the call.
  `
  CREATE TABLE brain_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    model TEXT NOT NULL,
    at INTEGER NOT NULL,
    became TEXT
  );
  `,
  // 0 until the budgets hold what it may come to. One of before there was this may have been asked.
  'ALTER TABLE brain_calls ADD COLUMN asked INTEGER NOT NULL DEFAULT 1;',
];

/** Characters per row of a long text: under 2 MB even if each takes four bytes of UTF-8. */
export const ROW_MAX_CHARS = 400_000;
