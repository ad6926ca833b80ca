import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { actPage, usagePage } from '../../protocol/http.ts';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { until } from '../support/until.ts';
import { findFaults } from './record.ts';

const SLOW = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');

/** A turn of several seconds whose every part must survive: text, tool, act, figures. */
const SCRIPT: ScriptInput = {
  turns: [
    [
      { do: 'text', text: 'It begins.' },
      { do: 'bash', command: 'git push origin HEAD', ask: false },
      { do: 'text', text: SLOW, chunkChars: 6, everyMs: 80 },
      { do: 'text', text: 'It ends.' },
      { do: 'usage', inputTokens: 700, outputTokens: 70, costUsd: 0.5 },
    ],
    [
      { do: 'text', text: 'Next.' },
      { do: 'usage', inputTokens: 300, outputTokens: 30, costUsd: 0.25 },
    ],
  ],
};

let world: RehearsalWorld;
afterEach(() => world.stop());

const pidIn = (path: string) => Number.parseInt(readFileSync(path, 'utf8'), 10);

async function launchIntoMidTurn(): Promise<string> {
  world = await RehearsalWorld.start(SCRIPT);
  const id = await world.launch('work', '--dir', world.repository);
  await untilText(id, 'It begins.');
  // The gate is in the runner: a push that a kill cuts off is rightly told as not done.
  await until('the push to be over', async () => {
    const over = new Set((await world.events(id, 'act/ended')).map(({ actId }) => actId));
    const seen = await world.events(id, 'act/seen');
    return seen.length > 1 && seen.every(({ act }) => over.has(act.actId));
  });
  expect(await world.events(id, 'turn/ended')).toEqual([]);
  return id;
}

const untilText = (id: string, text: string) =>
  until(
    `the text “${text}”`,
    async () =>
      (await world.events(id, 'text/completed')).some((event) => event.text.text === text),
    { withinMs: 60_000, tell: () => world.tell() },
  );

/** Waits until the session rests, whole, and the ledgers hold what its record holds. */
async function expectWhole(id: string, turns: number): Promise<void> {
  await world.untilTurns(id, turns);
  await world.untilState(id, 'idle', 'parked');
  expect(findFaults(await world.entries(id))).toEqual([]);
  const recorded = (await world.events(id, 'usage/recorded')).flatMap(({ turnId, entries }) =>
    entries.map((entry) => ({ ...entry, turnId })),
  );
  const rows = await until('the usage ledger', async () => {
    const { items } = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
    return items.length >= recorded.length ? items : null;
  });
  const byTurn = (a: { turnId: string | null }, b: { turnId: string | null }) =>
    (a.turnId ?? '').localeCompare(b.turnId ?? '');
  expect(rows.toSorted(byTurn)).toMatchObject(recorded.toSorted(byTurn));
  const acts = await until('the acts ledger', async () => {
    const { items } = await world.get(actPage, `/v1/acts?sessionId=${id}`);
    return items.every((act) => act.outcome !== null) ? items : null;
  });
  // What the gate saw of a push that the stream claims is the same act.
  const seen = (await world.events(id, 'act/seen')).filter(({ act }) => !act.claimId);
  expect(acts.map((act) => act.actId).sort()).toEqual(seen.map(({ act }) => act.actId).sort());
  expect(acts).toMatchObject([{ kind: 'push', outcome: 'done', witness: 'stream' }]);
  expect(acts[0]?.witnesses).toContainEqual(expect.objectContaining({ by: 'gate' }));
}

async function expectNextTurnWorks(id: string): Promise<void> {
  await world.cli('sessions', 'say', id, 'go on');
  const { view } = await world.untilTurns(id, 2);
  expect(view.turns[1]?.outcome).toBe('ok');
  await expectWhole(id, 2);
}

describe('in the middle of a turn', () => {
  it('kill -9 of workerd loses nothing and repeats nothing', async () => {
    const id = await launchIntoMidTurn();
    const before = pidIn(world.layout.workerdPidFile);
    process.kill(before, 'SIGKILL');
    await until('another workerd', () => pidIn(world.layout.workerdPidFile) !== before);
    await untilAnswering();
    await expectWhole(id, 1);
    const { view } = await world.detail(id);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    await expectNextTurnWorks(id);
  });

  it('kill -9 of the runner lets the engine finish, and every event comes once', async () => {
    const id = await launchIntoMidTurn();
    const before = pidIn(world.layout.runnerPidFile);
    process.kill(before, 'SIGKILL');
    await expectWhole(id, 1);
    const { view } = await world.detail(id);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(await texts(id)).toEqual(['It begins.', SLOW, 'It ends.']);
    expect(pidIn(world.layout.runnerPidFile)).not.toBe(before);
    await expectNextTurnWorks(id);
  });

  it('kill -9 of the host ends in a told outcome once it is started again', async () => {
    const id = await launchIntoMidTurn();
    await world.installation.end('SIGKILL');
    await world.up();
    await expectWhole(id, 1);
    const { view } = await world.detail(id);
    expect(view.turns[0]?.outcome).not.toBeNull();
    expect(view.turns[0]?.usage).toMatch(/recorded|unsettled/);
    await expectNextTurnWorks(id);
  });
});

const texts = async (id: string) =>
  (await world.events(id, 'text/completed')).map((event) => event.text.text);

/** The Worker answers again after its process was replaced. */
const untilAnswering = () =>
  until(
    'the Worker to answer',
    () =>
      world.call('/v1/health').then(
        (response) => response.ok,
        () => false,
      ),
    { withinMs: 60_000 },
  );
