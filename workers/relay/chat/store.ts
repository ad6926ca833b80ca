import type { ChatEntry, ChatEvent } from '../../../protocol/operator-chat.ts';
import type { MessageId, TurnId } from '../../../protocol/ids.ts';
import { tokensOf } from '../../../protocol/figures.ts';
import type { CountedSpend } from '../../../protocol/shared-budget.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import type { StorageStep } from '../../lib/storage-migrations.ts';

/** What an object keeps; never edited, only followed. */
export const CHAT_STEPS: readonly StorageStep[] = [
  `CREATE TABLE entries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL);
   CREATE TABLE chat (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     asking TEXT, resting TEXT, waiting TEXT,
     failures INTEGER NOT NULL, spent INTEGER NOT NULL, unpriced INTEGER NOT NULL,
     recorded INTEGER NOT NULL
   );
   INSERT INTO chat VALUES (1, NULL, NULL, NULL, 0, 0, 0, 0);`,
  // What a person says is known by an id of its sender's.
  `ALTER TABLE entries ADD COLUMN message TEXT;
   CREATE UNIQUE INDEX entries_message ON entries (message);`,
  // What the account's budgets count, and what they hold for the call under way.
  `ALTER TABLE chat ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chat ADD COLUMN held TEXT;`,
];

export type Waiting = { callId: string; reason: string; expiresAt: number };
/** `lost`: it may have been served, and no figure is known of it. */
export type Held = { callId: TurnId; lost: boolean };
export type Resting = { callId: string | null; until: number };

/** Where the agent stands beside its record. */
export type Standing = {
  /** The model that is being asked; left over after a crash. */
  asking: string | null;
  /** What the budgets hold for its call, until they have been told what it came to. */
  held: Held | null;
  resting: Resting | null;
  waiting: Waiting | null;
  /** Failures in a row. */
  failures: number;
};

/** Entries that are looked at to decide: far more than one message leads to. */
const LOOKED_AT = 600;

type Row = { seq: number; at: number; event: string };
type ChatRow = {
  asking: string | null;
  held: string | null;
  tokens: number;
  resting: string | null;
  waiting: string | null;
  failures: number;
  spent: number;
  unpriced: number;
  recorded: number;
};

/** Rows of a conversation; no decisions here. Every call is synchronous. */
export class ChatStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds an entry, and what it cost to the sums. */
  append(event: ChatEvent, at: number, message: MessageId | null): ChatEntry {
    const seq = this.last() + 1;
    this.#sql.exec(
      'INSERT INTO entries VALUES (?, ?, ?, ?)',
      seq,
      at,
      JSON.stringify(event),
      message,
    );
    const usage = usageIn(event);
    if (usage)
      this.#sql.exec(
        'UPDATE chat SET spent = spent + ?, unpriced = unpriced + ?, tokens = tokens + ?',
        usage.microUsd ?? 0,
        usage.microUsd === null ? 1 : 0,
        tokensOf(usage),
      );
    return { seq, at, event };
  }

  last(): number {
    return this.#sql
      .exec<{ last: number }>('SELECT coalesce(max(seq), 0) AS last FROM entries')
      .one().last;
  }

  /** The place of a message that was said before; null where it was not. */
  findMessage(message: MessageId): number | null {
    const [row] = this.#sql
      .exec<{ seq: number }>('SELECT seq FROM entries WHERE message = ?', message)
      .toArray();
    return row?.seq ?? null;
  }

  /** Entries after a position, the oldest first. */
  list(after: number, limit: number): ChatEntry[] {
    return this.#entries('SELECT * FROM entries WHERE seq > ? ORDER BY seq LIMIT ?', after, limit);
  }

  /** The newest entries, the oldest of them first. */
  newest(): ChatEntry[] {
    return this.#entries('SELECT * FROM entries ORDER BY seq DESC LIMIT ?', LOOKED_AT).toReversed();
  }

  readStanding(): Standing {
    const { asking, held, resting, waiting, failures } = this.#row();
    return {
      asking,
      held: held === null ? null : (JSON.parse(held) as Held),
      resting: resting === null ? null : (JSON.parse(resting) as Resting),
      waiting: waiting === null ? null : (JSON.parse(waiting) as Waiting),
      failures,
    };
  }

  /** Changes what is named and leaves the rest. */
  stand(change: Partial<Standing>): void {
    const { asking, held, resting, waiting, failures } = { ...this.readStanding(), ...change };
    const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
    this.#sql.exec(
      'UPDATE chat SET asking = ?, held = ?, resting = ?, waiting = ?, failures = ?',
      asking,
      json(held),
      json(resting),
      json(waiting),
      failures,
    );
  }

  readSpend(): { spentMicroUsd: number; unpriced: number } {
    const { spent, unpriced } = this.#row();
    return { spentMicroUsd: spent, unpriced };
  }

  /** What it has come to, as budgets count it: a key of an API pays for all of it. */
  readCounted(): CountedSpend {
    const { spent, tokens } = this.#row();
    return { all: spent, paid: spent, tokens, timeMs: 0 };
  }

  /** Entries whose usage the ledger does not have yet. */
  listUnrecorded(): { entry: ChatEntry; usage: UsageEntry }[] {
    return this.list(this.#row().recorded, LOOKED_AT).flatMap((entry) => {
      const usage = usageIn(entry.event);
      return usage ? [{ entry, usage }] : [];
    });
  }

  recordedUpTo(seq: number): void {
    this.#sql.exec('UPDATE chat SET recorded = max(recorded, ?)', seq);
  }

  #row(): ChatRow {
    return this.#sql.exec<ChatRow>('SELECT * FROM chat').one();
  }

  #entries(query: string, ...bound: number[]): ChatEntry[] {
    return this.#sql
      .exec<Row>(query, ...bound)
      .toArray()
      .map(({ seq, at, event }) => ({ seq, at, event: JSON.parse(event) as ChatEvent }));
  }
}

function usageIn(event: ChatEvent): UsageEntry | null {
  return event.type === 'answered' || event.type === 'lost' ? event.usage : null;
}
