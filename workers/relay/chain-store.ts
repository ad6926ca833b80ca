import type { ChainEnds, ChainHead } from '../../protocol/chain-head.ts';
import type { ChainLink } from '../ledger/chain.ts';
import type { LedgerRow } from '../ledger/rows.ts';
import { splitText } from './chunks.ts';
import { ROW_MAX_CHARS } from './feed-storage.ts';

/** A page on its way into D1, exactly as it was decided: what is repeated after a crash is this. */
export type PendingPage = { upTo: number; rows: LedgerRow[]; links: ChainLink[] };

type ChainRow = { starts_after: number; number: number | null; hash: string | null };

/**
 * The end of a session's chain as the session itself knows it, apart from the database that holds
 * the chain, and the page that may not be there yet. Every call is synchronous.
 */
export class ChainStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Notes once after which position the chain of this session holds. */
  open(after: number): void {
    this.#sql.exec('INSERT OR IGNORE INTO chain (one, starts_after) VALUES (1, ?)', after);
  }

  /** The last link that is in D1 for certain; null before the first. */
  get head(): ChainHead | null {
    const row = this.#row();
    return row?.hash === null || row?.number === null || row === undefined
      ? null
      : { number: row.number, hash: row.hash };
  }

  /** The end of the chain without and with the page that may not be in D1 yet. */
  readEnds(): ChainEnds {
    const settled = this.head;
    const last = this.readPending()?.links.at(-1);
    return { settled, begun: last ? { number: last.number, hash: last.hash } : settled };
  }

  /** The position after which the chain holds. */
  get startsAfter(): number {
    return this.#row()?.starts_after ?? 0;
  }

  /** Keeps a page before it is sent. */
  keep(page: PendingPage): void {
    splitText(JSON.stringify(page), ROW_MAX_CHARS).forEach((text, part) => {
      this.#sql.exec('INSERT INTO chain_pending (part, text) VALUES (?, ?)', part, text);
    });
  }

  /** The page that was kept and is not known to be in D1. */
  readPending(): PendingPage | null {
    const rows = this.#sql
      .exec<{ text: string }>('SELECT text FROM chain_pending ORDER BY part')
      .toArray();
    if (rows.length === 0) return null;
    return JSON.parse(rows.map(({ text }) => text).join('')) as PendingPage;
  }

  /** The page is in D1: the chain ends with its last link. */
  settle({ links }: PendingPage): void {
    this.#sql.exec('DELETE FROM chain_pending');
    const last = links.at(-1);
    if (last) this.#sql.exec('UPDATE chain SET number = ?, hash = ?', last.number, last.hash);
  }

  #row(): ChainRow | undefined {
    return this.#sql.exec<ChainRow>('SELECT starts_after, number, hash FROM chain').toArray()[0];
  }
}
