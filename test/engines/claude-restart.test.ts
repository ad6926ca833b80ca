import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { usagePage } from '../../protocol/http.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Reply } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { findFaults } from '../faults/record.ts';

const WORDS = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ');
const slowly: Reply = {
  kind: 'message',
  content: [{ type: 'text', text: WORDS }],
  pieceMs: 30,
};

let world: ClaudeWorld;
afterEach(() => world.stop());

const pidIn = (path: string) => Number.parseInt(readFileSync(path, 'utf8'), 10);

/** Launches the real claude and waits until its model has begun to answer. */
async function launchIntoMidTurn(): Promise<string> {
  world = await ClaudeWorld.start(
    { 'count slowly': [slowly], 'and now': [says('Here.')] },
    CANARY_KEY,
  );
  const id = await world.launch('count slowly');
  await until('the model to be asked', () => world.api.served.length > 0, {
    withinMs: 60_000,
    tell: () => world.tell(),
  });
  expect(await world.events(id, 'turn/ended')).toEqual([]);
  return id;
}

async function expectWholeAndPaid(id: string, turns: number): Promise<void> {
  const { view } = await world.untilTurns(id, turns);
  expect(view.turns.map(({ outcome, usage }) => [outcome, usage])).toEqual(
    Array.from({ length: turns }, () => ['ok', 'recorded']),
  );
  await world.untilState(id, 'idle', 'parked');
  expect(findFaults(await world.entries(id))).toEqual([]);
  expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served));
  const rows = await until('the ledger', async () => {
    const { items } = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
    return items.length >= turns ? items : null;
  });
  const sum = rows.reduce((total, row) => total + (row.microUsd ?? 0), 0);
  expect(sum).toBe(billOf(world.api.served));
  const texts = (await world.events(id, 'text/completed')).map((event) => event.text.text);
  expect(texts).toEqual([WORDS, 'Here.'].slice(0, turns));
}

describe('the real claude in the middle of a turn', () => {
  it('finishes it after kill -9 of the runner, is told and paid once, and goes on', async () => {
    const id = await launchIntoMidTurn();
    const before = pidIn(world.layout.runnerPidFile);
    process.kill(before, 'SIGKILL');
    await expectWholeAndPaid(id, 1);
    expect(await world.events(id, 'engine/exited')).toEqual([]);
    await world.cli('sessions', 'say', id, 'and now');
    await expectWholeAndPaid(id, 2);
  });

  it('does not notice kill -9 of workerd, and is told and paid once', async () => {
    const id = await launchIntoMidTurn();
    const before = pidIn(world.layout.workerdPidFile);
    process.kill(before, 'SIGKILL');
    await until('another workerd', () => pidIn(world.layout.workerdPidFile) !== before);
    expect(pidIn(world.layout.workerdPidFile)).toBeGreaterThan(0);
    await until('the Worker to answer', () =>
      world.call('/v1/health').then(
        (response) => response.ok,
        () => false,
      ),
    );
    await expectWholeAndPaid(id, 1);
    await world.cli('sessions', 'say', id, 'and now');
    await expectWholeAndPaid(id, 2);
  });
});
