import { afterEach, expect, it } from 'vitest';
import { budgetList } from '../../protocol/shared-budget.ts';
import { type Reply, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import type { EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

/** Answers that cost, so that a few of them reach a share of a budget. */
const costly = (reply: Reply): Reply =>
  reply.kind === 'message' ? { ...reply, usage: { output_tokens: 60_000 } } : reply;

it('the real claude is stopped in the middle of a turn by its share of a day’s budget, and goes on with the next', async () => {
  const record = RECORDS['claude'];
  if (record?.kind !== 'proven') throw new Error('claude has its record');
  const steps = Array.from({ length: 12 }, (_, index) => costly(record.runs(`echo ${index}`)));
  const started = await record.start({
    'work for long': [...steps, says('Never said.')],
    'say hello': [says('Hello again.')],
  });
  world = started;
  const dollars = 4.8;
  const set = await started.cli('budget', 'set', '--daily', '--dollars', String(dollars));
  expect(set.stdout).toContain('the daily budget of the account ($4.80');

  const id = await started.launch('work for long', ...record.unasked);
  await started.approveUntilEnd(id);
  const { view } = await started.untilTurns(id, 1);
  expect(view.turns[0]?.outcome).not.toBe('ok');
  const bill = record.bill(started, 0);
  expect(bill.microUsd).toBeGreaterThan(0);
  expect(bill.microUsd).toBeLessThanOrEqual((dollars * 1_000_000) / 4);
  expect(started.api.served.length).toBeLessThan(steps.length);
  const notices = await started.events(id, 'notice/raised');
  expect(notices.map(({ code }) => code)).toContain('grant_reached');
  expect(view.state).not.toBe('halted');

  // What was really served is what the day has used, and the session takes the next instruction.
  const standings = async () => (await started.json(budgetList, 'budget', 'show')).items;
  await until('the turn to be settled', async () => (await standings())[0]?.reserved === 0);
  const [budget] = await standings();
  expect(Math.abs((budget?.used ?? 0) - bill.microUsd)).toBeLessThanOrEqual(
    started.api.served.length,
  );
  expect((await started.cli('sessions', 'say', id, 'say hello')).exitCode).toBe(0);
  const after = await started.untilTurns(id, 2);
  expect(after.view.turns[1]?.outcome).toBe('ok');
});
