import { env } from 'cloudflare:workers';
import type { Chance } from './chance.ts';

const NOTHING = (): void => undefined;
const SAYS = ({ log, warn, error }: Console) => ({ log, warn, error });

type Batch = D1Database['batch'];

/** The clock and the database of the whole Worker, which fail as a run wants them to. */
export class Surroundings {
  readonly #realNow = Date.now;
  readonly #realSay = { ...SAYS(console) };
  readonly #realBatch: Batch;
  readonly #place: { batch: Batch };
  #offset = 0;

  constructor() {
    this.#place = Object.getPrototypeOf(env.DB) as { batch: Batch };
    this.#realBatch = this.#place.batch;
    Date.now = () => this.#realNow.call(Date) + this.#offset;
    // Thousands of lines of each run, each of which goes to another process, cost more than the run.
    Object.assign(console, { log: NOTHING, warn: NOTHING, error: NOTHING });
  }

  /** The clock is so much later from now on, in ms. Whatever is due then is late. */
  jump(ms: number): void {
    this.#offset += ms;
  }

  /** Batches of the database fail as they are drawn: before they are written, or after it. */
  failBatches(chance: Chance): void {
    const real = this.#realBatch;
    this.#place.batch = async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
      if (chance.happens('batch refused', 0.02)) throw new Error('D1_ERROR: refused');
      const results = await real.call(this, statements);
      if (chance.happens('batch unanswered', 0.02)) throw new Error('D1_ERROR: no answer came');
      return results as D1Result<T>[];
    };
  }

  calm(): void {
    this.#place.batch = this.#realBatch;
  }

  restore(): void {
    this.calm();
    Date.now = this.#realNow;
    Object.assign(console, this.#realSay);
  }
}
