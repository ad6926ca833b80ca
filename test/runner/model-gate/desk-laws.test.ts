import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desk, type Reservation } from '../../../runner/model-gate/desk.ts';
import { readCalls } from '../../../runner/model-gate/journal.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-desk-laws-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A call whose whole cost is its answer, at 15 micro-dollars a token. */
const callOf = (tokens: number) => ({
  model: 'claude-sonnet-4-5',
  bytes: 0,
  maxOutputTokens: tokens,
  leastOutputTokens: 0,
  usualOutputTokens: 1,
});

/** What can happen to a session's account, in any order. */
type Step =
  | { kind: 'ask'; tokens: number }
  /** A call under way ends having used this part of what it may. */
  | { kind: 'end'; which: number; part: number }
  /** It came to nothing. */
  | { kind: 'fail'; which: number }
  | { kind: 'leave'; which: number }
  | { kind: 'grant'; more: number }
  /** The gate is killed and another one started: what was under way is over, as far as it knows. */
  | { kind: 'restart' };

const which = fc.nat(9);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('ask'), tokens: fc.integer({ min: 1, max: 20_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      which,
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('grant'),
      more: fc.integer({ min: 0, max: 200_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' }) },
) as fc.Arbitrary<Step>;

type UnderWay = { reservation: Reservation; mostMicroUsd: number };

/** An account, and an oracle that knows nothing of how it decides: what was granted, what was spent. */
class World {
  readonly path: string;
  desk: Desk;
  granted: number;
  spent = 0;
  running: UnderWay[] = [];
  waiting: AbortController[] = [];
  refused = 0;
  begun = 0;

  constructor(path: string, granted: number) {
    this.path = path;
    this.granted = granted;
    this.desk = this.#open();
  }

  #open(): Desk {
    const desk = new Desk(this.path, () => 1);
    desk.grant(this.granted);
    return desk;
  }

  async do(what: Step): Promise<void> {
    switch (what.kind) {
      case 'ask':
        return void this.#ask(what.tokens);
      case 'end':
        return this.#end(what.which, what.part);
      case 'fail':
        return this.#end(what.which, null);
      case 'leave':
        return this.waiting.splice(what.which % Math.max(1, this.waiting.length), 1)[0]?.abort();
      case 'grant':
        this.granted += what.more;
        return this.desk.grant(this.granted);
      case 'restart':
        for (const waiting of this.waiting.splice(0)) waiting.abort();
        this.running = [];
        this.desk = this.#open();
        return undefined;
      default:
        return what satisfies never;
    }
  }

  async #ask(tokens: number): Promise<void> {
    const controller = new AbortController();
    this.waiting.push(controller);
    const { desk } = this;
    const admission = await desk.admit(callOf(tokens), controller.signal).catch(() => null);
    this.waiting = this.waiting.filter((each) => each !== controller);
    if (!admission) return;
    if (!admission.ok) return void (this.refused += 1);
    if (desk !== this.desk) return;
    this.begun += 1;
    const limit = admission.maxOutputTokens ?? tokens;
    this.running.push({ reservation: admission.reservation, mostMicroUsd: limit * 15 });
  }

  #end(index: number, part: number | null): void {
    const [ended] = this.running.splice(index % Math.max(1, this.running.length), 1);
    if (!ended) return;
    if (part === null) return this.desk.settle(ended.reservation, null);
    const outputTokens = Math.floor((ended.mostMicroUsd / 15) * part);
    const microUsd = outputTokens * 15;
    const tokens = { inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
    this.desk.settle(ended.reservation, { model: 'm', tokens, microUsd, told: true });
    this.spent += microUsd;
  }

  /** What the calls that are under way may still come to, together with what is spent. */
  get worst(): number {
    return this.running.reduce((sum, { mostMicroUsd }) => sum + mostMicroUsd, this.spent);
  }
}

describe('an account under any order of calls, ends, failures, grants and restarts', () => {
  it('never lets more begin than was granted, writes down what was spent, and leaves nobody waiting', async () => {
    let files = 0;
    let begun = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 500_000 }),
        fc.array(step, { maxLength: 40 }),
        async (granted, steps) => {
          const world = new World(join(directory, `${++files}.calls`), granted);
          for (const each of steps) {
            await world.do(each);
            await turn();
            expect(world.worst).toBeLessThanOrEqual(world.granted);
          }
          // Whoever still waits is answered once everything that runs is over.
          while (world.running.length > 0) {
            await world.do({ kind: 'end', which: 0, part: 1 });
            await turn();
            expect(world.worst).toBeLessThanOrEqual(world.granted);
          }
          expect(world.waiting).toEqual([]);
          const { entries } = readCalls(world.path, 0);
          expect(entries.reduce((sum, { microUsd }) => sum + (microUsd ?? 0), 0)).toBe(world.spent);
          begun += world.begun;
          refused += world.refused;
        },
      ),
      { numRuns: 150 },
    );
    // Both happened, or nothing was proven.
    expect(Math.min(begun, refused)).toBeGreaterThan(5);
  });
});
