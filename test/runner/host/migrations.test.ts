import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import {
  applyMigrations,
  decideMigrations,
  splitMigration,
  type MigrationDatabase,
} from '../../../runner/host/migrations.ts';

const migrationsOf = (...names: string[]) =>
  names.map((name) => ({ name, statements: [`CREATE TABLE "${name}" (id INTEGER)`] }));

/** D1 as far as migrating goes, on a real SQLite: a batch is one transaction. */
function aDatabase(): { database: MigrationDatabase; tables(): string[] } {
  const sqlite = new DatabaseSync(':memory:');
  type Bound = { query: string; values: string[] };
  const bound = new WeakMap<object, Bound>();
  const statement = (query: string, values: string[]): ReturnType<MigrationDatabase['prepare']> => {
    const made = {
      bind: (...more: unknown[]) => statement(query, more.map(String)),
      all: () => Promise.resolve({ results: sqlite.prepare(query).all(...values) }),
    };
    bound.set(made, { query, values });
    return made;
  };
  return {
    database: {
      prepare: (query) => statement(query, []),
      batch: (statements) => {
        sqlite.exec('BEGIN');
        try {
          for (const each of statements) {
            const { query, values } = bound.get(each) ?? { query: '', values: [] };
            sqlite.prepare(query).run(...values);
          }
          sqlite.exec('COMMIT');
          return Promise.resolve();
        } catch (error) {
          sqlite.exec('ROLLBACK');
          return Promise.reject(error);
        }
      },
    },
    tables: () =>
      sqlite
        .prepare(`SELECT name FROM sqlite_schema WHERE name LIKE '0%' ORDER BY name`)
        .all()
        .map((row) => String(row['name'])),
  };
}

describe('applying migrations', () => {
  it('applies all to an empty database, and none a second time', async () => {
    const { database, tables } = aDatabase();
    expect(await applyMigrations(database, migrationsOf('0000', '0001'))).toBe(2);
    expect(tables()).toEqual(['0000', '0001']);
    expect(await applyMigrations(database, migrationsOf('0000', '0001'))).toBe(0);
  });

  it('applies only what is new', async () => {
    const { database, tables } = aDatabase();
    await applyMigrations(database, migrationsOf('0000'));
    expect(await applyMigrations(database, migrationsOf('0000', '0001'))).toBe(1);
    expect(tables()).toEqual(['0000', '0001']);
  });

  it('leaves nothing of a migration that fails half way, so that it can be tried again', async () => {
    const { database, tables } = aDatabase();
    const broken = [{ name: '0000', statements: ['CREATE TABLE "00a" (id)', 'nonsense'] }];
    await expect(applyMigrations(database, broken)).rejects.toThrow(/syntax error/);
    expect(tables()).toEqual([]);
    expect(await applyMigrations(database, migrationsOf('0000'))).toBe(1);
  });

  it('refuses data of a newer version in a sentence that names it', async () => {
    const { database } = aDatabase();
    await applyMigrations(database, migrationsOf('0000', '0001'));
    await expect(applyMigrations(database, migrationsOf('0000'))).rejects.toThrow(
      /another version of Pilothouse \(it has the migration 0001/,
    );
  });
});

describe('deciding migrations', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 8 });

  it('leaves exactly what follows any beginning that was applied', () => {
    fc.assert(
      fc.property(names, fc.nat(8), (all, count) => {
        const applied = all.slice(0, count);
        expect(decideMigrations(applied, migrationsOf(...all))).toEqual({
          kind: 'apply',
          pending: migrationsOf(...all.slice(count)),
        });
      }),
    );
  });

  it('refuses whatever is not a beginning', () => {
    fc.assert(
      fc.property(names, (all) => {
        fc.pre(all.length > 1);
        const plan = decideMigrations(all.toReversed(), migrationsOf(...all));
        expect(plan.kind).toBe('newer');
      }),
    );
  });
});

describe('the migrations of this product', () => {
  const files = readdirSync('migrations').filter((name) => name.endsWith('.sql'));

  it.each(files)('%s is cut into the statements that wrangler cuts it into', (name) => {
    const text = readFileSync(`migrations/${name}`, 'utf8');
    const plain = (statements: readonly string[]) =>
      statements.map((statement) =>
        statement
          .replaceAll(/--[^\n]*/g, '')
          .replaceAll(/\s+/g, ' ')
          .replace(/;\s*$/, '')
          .trim(),
      );
    expect(plain(splitMigration(text))).toEqual(plain(unstable_splitSqlQuery(text)));
  });

  it('are some', () => {
    expect(files.length).toBeGreaterThan(0);
  });
});
