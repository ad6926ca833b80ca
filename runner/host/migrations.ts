import { z } from 'zod';
import { EXIT, Failure } from '../failure.ts';
import type { Migration } from './bundle.ts';

/** The part of D1 that migrating needs. */
export type MigrationDatabase = {
  prepare(query: string): MigrationStatement;
  batch(statements: MigrationStatement[]): Promise<unknown>;
};
type MigrationStatement = {
  bind(...values: unknown[]): MigrationStatement;
  all(): Promise<{ results: unknown[] }>;
};

/** The record that `wrangler d1 migrations apply` keeps, so that either may continue the other's. */
const CREATE_RECORD =
  'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)';

const appliedRow = z.object({ name: z.string() });

/** What drizzle writes between two statements, and what we write there by hand. */
const BREAKPOINT = '--> statement-breakpoint';

/** The statements of one migration file. D1 runs one at a time, and a trigger has `;` inside. */
export function splitMigration(text: string): string[] {
  return text
    .split(BREAKPOINT)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

export type MigrationPlan =
  | { kind: 'apply'; pending: readonly Migration[] }
  | { kind: 'newer'; unknown: string };

/**
 * Decides which migrations are to be applied. What was applied must be the beginning of what
 * there is: data made by a newer version is refused rather than read wrongly.
 */
export function decideMigrations(
  applied: readonly string[],
  migrations: readonly Migration[],
): MigrationPlan {
  for (const [index, name] of applied.entries()) {
    if (migrations[index]?.name !== name) return { kind: 'newer', unknown: name };
  }
  return { kind: 'apply', pending: migrations.slice(applied.length) };
}

/** Brings the database to the newest schema. Each migration and its record are one transaction. */
export async function applyMigrations(
  database: MigrationDatabase,
  migrations: readonly Migration[],
): Promise<number> {
  await database.batch([database.prepare(CREATE_RECORD)]);
  const { results } = await database.prepare('SELECT name FROM d1_migrations ORDER BY id').all();
  const plan = decideMigrations(
    results.map((row) => appliedRow.parse(row).name),
    migrations,
  );
  if (plan.kind === 'newer') {
    throw new Failure(
      EXIT.failed,
      'data_newer',
      `The data was written by another version of Pilothouse (it has the migration ${plan.unknown}, which this version does not). Start that version, or choose another data directory with --data.`,
    );
  }
  for (const migration of plan.pending) {
    await database.batch([
      ...migration.statements.map((statement) => database.prepare(statement)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(migration.name),
    ]);
  }
  return plan.pending.length;
}
