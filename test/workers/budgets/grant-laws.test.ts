import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { startEmpty } from '../support/http.ts';
import { LedgerOfTruth } from './ledger-of-truth.ts';

beforeEach(startEmpty);

const who = fc.integer({ min: 0, max: 2 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), who }) },
  /** The answer is lost on its way: whoever asked asks again, for the same turn. */
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('beginUnheard' as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      who,
      part: fc.constantFrom(0, 0.3, 0.9, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), who }) },
  /** The turn that reached no engine is sent again as itself. */
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), who }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('tell' as const), who }) },
  /** A model is asked beside the turns, and answers, or whoever asked dies before it did. */
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      who,
      most: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      who,
      part: fc.constantFrom(0.1, 0.7, 1),
      dies: fc.boolean(),
      unheard: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'age' as const }) },
  /** A word of before arrives once more, and late. */
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tellAgain' as const),
      who,
      back: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sleep' as const }) },
  /** The object dies while all three sessions ask it something. */
  { weight: 1, arbitrary: fc.constant({ kind: 'killed' as const }) },
  /** All three ask at once. */
  { weight: 2, arbitrary: fc.constant({ kind: 'together' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function kill({ stub }: LedgerOfTruth): Promise<void> {
  await runInDurableObject(stub, (_, state) => state.abort('killed by the test')).catch(() => {});
}

async function carryOut(truth: LedgerOfTruth, next: Step): Promise<void> {
  const session = 'who' in next ? truth.sessions[next.who] : undefined;
  switch (next.kind) {
    case 'sleep':
      // Only an object that is awake can be put to sleep.
      await truth.list();
      return evictDurableObject(truth.stub);
    case 'age':
      return truth.age();
    case 'killed': {
      const asked = truth.sessions.map((each) => truth.begin(each).catch(() => 'lost'));
      await kill(truth);
      await Promise.all(asked);
      return;
    }
    case 'together':
      await Promise.all(truth.sessions.map((each) => truth.begin(each)));
      return;
  }
  if (!session) return;
  switch (next.kind) {
    case 'begin':
      await truth.begin(session);
      return;
    case 'beginUnheard':
      await truth.begin(session, false);
      return;
    case 'end':
      return truth.end(session, next.part);
    case 'ask':
      if (session.call?.state !== 'held') await truth.ask(session, next.most);
      return;
    case 'answer':
      return truth.answer(session, next.part, next);
    case 'withdraw':
      return truth.withdraw(session);
    case 'again':
      truth.again(session);
      await truth.begin(session);
      return;
    case 'tell':
      return truth.settle(session.tell());
    case 'tellAgain': {
      const said = session.said.at(-next.back);
      return said && truth.settle(said);
    }
    default:
      return next satisfies never;
  }
}

let runs = 0;

it('grants never more than a budget has, and counts each dollar once, whatever is lost, told twice or killed', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 12 }),
      fc.record({
        tokens: fc.integer({ min: 1, max: 900 }),
        time: fc.integer({ min: 1, max: 900 }),
      }),
      fc.array(step, { minLength: 4, maxLength: 40 }),
      async (limit, turns, { tokens, time }, steps) => {
        runs += 1;
        const truth = new LedgerOfTruth(`laws${runs}`);
        await truth.save({ limit });
        await truth.save({ unit: 'turns', limit: turns });
        await truth.save({ unit: 'tokens', limit: tokens });
        await truth.save({ unit: 'time', limit: time });
        for (const next of steps) {
          await carryOut(truth, next);
          // What really happened stays within the budget, and so does what may still happen.
          // Calls of a model included, also those of which no figure ever comes.
          const beside = truth.untold + truth.asked;
          expect(truth.spent('all') + truth.granted('microUsd') + beside).toBeLessThanOrEqual(
            limit,
          );
          expect(truth.spent('tokens') + truth.granted('tokens') + beside).toBeLessThanOrEqual(
            tokens,
          );
          expect(truth.spent('timeMs') + truth.granted('timeMs')).toBeLessThanOrEqual(time);
          expect(truth.endedTurns).toBeLessThanOrEqual(turns);
        }
        // In the end everything is heard, and the book has each dollar and each turn once.
        for (const session of truth.sessions) {
          if (session.turns.at(-1)?.state === 'asked') truth.withdraw(session);
          truth.end(session, 0.5);
          await truth.answer(session, 1);
          await truth.settle(session.tell());
          if (session.call?.state === 'lost') await truth.ask(session, 1);
          await truth.answer(session, 1);
        }
        // A call of which nobody has a figure counts as the most that it can have been.
        expect(truth.lost).toBeGreaterThanOrEqual(truth.untold);
        expect(await truth.list()).toMatchObject([
          { unit: 'dollars', used: truth.spent('all') + truth.lost, reserved: 0 },
          { unit: 'time', used: truth.spent('timeMs'), reserved: 0 },
          { unit: 'tokens', used: truth.spent('tokens') + truth.lost, reserved: 0 },
          { unit: 'turns', used: truth.endedTurns, reserved: 0 },
        ]);
        if (truth.spent('all') + truth.lost >= limit || truth.endedTurns >= turns) {
          refused += 1;
          const [session] = truth.sessions;
          expect(session && (await truth.begin(session))).toBe('refused');
        }
      },
    ),
    { numRuns: 24, seed: 48, endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(0);
}, 120_000);

it('a turn that was withdrawn and is sent after all is granted anew', async () => {
  const truth = new LedgerOfTruth('anew');
  await truth.save({ unit: 'turns', limit: 1 });
  const [one, other] = truth.sessions;
  if (!one || !other) throw new Error('there are three sessions');
  expect(await truth.begin(one)).toBe('granted');
  expect(await truth.begin(other)).toBe('refused');
  truth.withdraw(one);
  await truth.settle(one.tell());
  expect(await truth.begin(other)).toBe('granted');
  await kill(truth);
  expect(await truth.begin(one)).toBe('refused');
});
