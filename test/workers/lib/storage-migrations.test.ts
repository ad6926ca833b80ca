import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { migrateStorage, type StorageStep } from '../../../workers/lib/storage-migrations.ts';

const FIRST = 'CREATE TABLE kept (id INTEGER PRIMARY KEY, words TEXT NOT NULL)';
const SECOND = "ALTER TABLE kept ADD COLUMN told TEXT NOT NULL DEFAULT 'no'";
const BROKEN = 'INSERT INTO nowhere VALUES (1)';

/** Runs in the storage of an object that has none of its own tables but those made here. */
async function inStorage(work: (storage: DurableObjectStorage) => void | Promise<void>) {
  const stub = env.PILOT_SWEEPER.getByName(`storage-${crypto.randomUUID()}`);
  await runInDurableObject(stub, async (_, state) => {
    state.storage.sql.exec('DROP TABLE IF EXISTS storage_version');
    await work(state.storage);
  });
}
const versionOf = ({ sql }: DurableObjectStorage) =>
  sql.exec('SELECT version FROM storage_version').toArray();
const tablesOf = ({ sql }: DurableObjectStorage) =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name = 'kept'")
    .toArray()
    .map(({ name }) => name);

describe('the storage of an object', () => {
  it('is brought to the newest step from nothing', () =>
    inStorage((storage) => {
      migrateStorage(storage, [FIRST, SECOND]);
      storage.sql.exec("INSERT INTO kept (words) VALUES ('hello')");
      expect(storage.sql.exec('SELECT words, told FROM kept').toArray()).toEqual([
        { words: 'hello', told: 'no' },
      ]);
      expect(versionOf(storage)).toEqual([{ version: 2 }]);
    }));

  it('takes only the steps that it has not had, and keeps what is in it', () =>
    inStorage((storage) => {
      migrateStorage(storage, [FIRST]);
      storage.sql.exec("INSERT INTO kept (words) VALUES ('hello')");
      for (const _boot of [1, 2, 3]) migrateStorage(storage, [FIRST, SECOND]);
      expect(storage.sql.exec('SELECT words, told FROM kept').toArray()).toEqual([
        { words: 'hello', told: 'no' },
      ]);
      expect(versionOf(storage)).toEqual([{ version: 2 }]);
    }));

  it('stays at its step where a later one fails, so that the next boot tries both again', () =>
    inStorage((storage) => {
      expect(() => migrateStorage(storage, [FIRST, BROKEN])).toThrow(/nowhere/);
      expect(tablesOf(storage)).toEqual([]);
      expect(versionOf(storage)).toEqual([]);
      migrateStorage(storage, [FIRST, SECOND]);
      expect(versionOf(storage)).toEqual([{ version: 2 }]);
    }));

  it('that a newer version has left is not touched, and that is said', () =>
    inStorage((storage) => {
      migrateStorage(storage, [FIRST, SECOND]);
      const older: StorageStep[] = [FIRST];
      expect(() => migrateStorage(storage, older)).toThrow(
        /at step 2 and this version of Pilothouse knows 1\. Nothing was changed; start the newer/,
      );
      expect(versionOf(storage)).toEqual([{ version: 2 }]);
    }));

  it('without any step has none either', () =>
    inStorage((storage) => {
      migrateStorage(storage, []);
      expect(versionOf(storage)).toEqual([]);
    }));
});
