/** Who holds a session's lease by hand: the hash of the key that proves it. */
export class LeaseStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Gives the lease to whoever has the key of this hash, and to nobody else. */
  give(keyHash: string, epoch: number): void {
    this.#sql.exec(
      `INSERT INTO lease (one, key_hash, epoch) VALUES (1, ?, ?)
       ON CONFLICT (one) DO UPDATE SET key_hash = excluded.key_hash, epoch = excluded.epoch`,
      keyHash,
      epoch,
    );
  }

  /** The epoch under which the key of this hash holds the lease; null when it does not. */
  epochOf(keyHash: string): number | null {
    const row = this.#sql
      .exec<{ epoch: number }>('SELECT epoch FROM lease WHERE key_hash = ?', keyHash)
      .toArray()[0];
    return row?.epoch ?? null;
  }
}
