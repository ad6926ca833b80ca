import type { StorageStep } from '../lib/storage-migrations.ts';

/** The tables of an account's budgets. Append a step to change them; a released step never changes. */
export const BOOK_STEPS: readonly StorageStep[] = [
  `
  CREATE TABLE budgets (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    budget TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    PRIMARY KEY (name, version)
  );
  CREATE TABLE grants (
    turn_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    runner_id TEXT NOT NULL,
    directory TEXT,
    at INTEGER NOT NULL,
    micro_usd INTEGER,
    paid_micro_usd INTEGER,
    ended INTEGER NOT NULL
  );
  CREATE INDEX grants_held ON grants (ended, at);
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    all_micro_usd INTEGER NOT NULL,
    paid_micro_usd INTEGER NOT NULL
  );
  CREATE TABLE charges (
    at INTEGER NOT NULL,
    runner_id TEXT NOT NULL,
    directory TEXT NOT NULL,
    all_micro_usd INTEGER NOT NULL,
    paid_micro_usd INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    PRIMARY KEY (at, runner_id, directory)
  );
  CREATE TABLE told (
    name TEXT NOT NULL,
    from_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    PRIMARY KEY (name, from_ms, version)
  );
  `,
  `
  ALTER TABLE grants ADD COLUMN tokens INTEGER;
  ALTER TABLE grants ADD COLUMN time_ms INTEGER;
  ALTER TABLE sessions ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN time_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE charges ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE charges ADD COLUMN time_ms INTEGER NOT NULL DEFAULT 0;
  `,
  // Calls of models hold something beside the turns.
  `
  ALTER TABLE grants ADD COLUMN kind TEXT NOT NULL DEFAULT 'turn';
  CREATE INDEX grants_spender ON grants (session_id, ended);
  `,
  // When what a lost call holds was charged; a word that comes late takes it back from there.
  `
  ALTER TABLE grants ADD COLUMN charged_at INTEGER;
  `,
];
