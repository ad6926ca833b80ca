import { z } from 'zod';
import { paneQuestion } from '../../protocol/pane-question.ts';
import { parseJson } from '../json.ts';
import type { Store } from '../link/store.ts';
import type { Log } from '../log.ts';

const identity = z.object({ pid: z.int(), startedAt: z.string() });

/** A question on record here, with whoever asks it and the answer that it got. */
const kept = z.object({
  question: paneQuestion,
  hook: identity,
  agent: identity,
  /** The agent has said of itself that it waits for a person. */
  waited: z.boolean(),
  reply: z.object({ allow: z.boolean(), reason: z.string() }).nullable(),
  taken: z.boolean(),
});
export type KeptQuestion = z.infer<typeof kept>;

/** Questions until the cloud has their end. One that cannot be read is dropped, and no other. */
export class QuestionStore {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  save(each: KeptQuestion): void {
    this.#store.db
      .prepare(
        `INSERT INTO questions (id, json, at) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET json = excluded.json`,
      )
      .run(each.question.id, JSON.stringify(each), each.question.at);
  }

  list(): KeptQuestion[] {
    const rows = this.#store.db.prepare('SELECT id, json FROM questions ORDER BY at, id').all();
    return rows.flatMap((row) => this.#read(row) ?? []);
  }

  find(id: string): KeptQuestion | null {
    const row = this.#store.db.prepare('SELECT id, json FROM questions WHERE id = ?').get(id);
    return row ? this.#read(row) : null;
  }

  isEmpty(): boolean {
    return this.#store.db.prepare('SELECT 1 FROM questions LIMIT 1').get() === undefined;
  }

  remove(id: string): void {
    this.#store.db.prepare('DELETE FROM questions WHERE id = ?').run(id);
  }

  #read({ id, json }: Record<string, unknown>): KeptQuestion | null {
    const { success, data, error } = kept.safeParse(parseJson(String(json)));
    if (success) return data;
    this.#log('warning', 'a question of an agent in a terminal cannot be read', {
      question: String(id),
      reason: error.message,
    });
    this.remove(String(id));
    return null;
  }
}
