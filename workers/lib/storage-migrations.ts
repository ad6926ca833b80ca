/** One step of an object's storage: SQL that is never edited once released, only followed. */
export type StorageStep = string;

/**
 * Brings an object's SQLite storage to the newest step, at every boot. Throws when the storage
 * is newer than this code: an older Worker over newer storage could only corrupt it.
 */
export function migrateStorage(storage: DurableObjectStorage, steps: readonly StorageStep[]): void {
  const { sql } = storage;
  sql.exec(
    'CREATE TABLE IF NOT EXISTS storage_version (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL)',
  );
  const row = sql.exec<{ version: number }>('SELECT version FROM storage_version').toArray()[0];
  const version = row?.version ?? 0;
  if (version > steps.length) {
    throw new Error(
      `This object's storage is at step ${version} and this version of Pilothouse knows ${steps.length}. Nothing was changed; start the newer version again.`,
    );
  }
  if (version === steps.length) return;
  storage.transactionSync(() => {
    for (const step of steps.slice(version)) sql.exec(step);
    sql.exec(
      'INSERT INTO storage_version (one, version) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET version = excluded.version',
      steps.length,
    );
  });
}
