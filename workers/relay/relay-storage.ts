import type { StorageStep } from '../lib/storage-migrations.ts';

/** A relay's own tables. Append a step to change them; a released step never changes. */
export const RELAY_STEPS: readonly StorageStep[] = [
  `
  CREATE TABLE relay (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    machine TEXT,
    last_seen_at INTEGER,
    connected INTEGER NOT NULL
  );
  INSERT INTO relay (one, machine, last_seen_at, connected) VALUES (1, NULL, NULL, 0);
  CREATE TABLE commands (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    deadline_at INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    result TEXT
  );
  CREATE TABLE watchers (session_id TEXT PRIMARY KEY);
  `,
  'ALTER TABLE relay ADD COLUMN revoked_at INTEGER',
  'CREATE TABLE shown (target TEXT PRIMARY KEY, at INTEGER NOT NULL)',
];
