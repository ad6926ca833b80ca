import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pilotDecisionRow, pilotView } from '../../protocol/pilot-view.ts';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { until } from '../support/until.ts';

const step = (number: number) => [
  { do: 'bash', command: `echo ${number} >> progress.txt`, ask: false } as const,
  { do: 'wait', ms: 1_500 } as const,
  { do: 'usage', inputTokens: 10, outputTokens: 10, costUsd: 0.01 } as const,
];
/** Three turns of work: the check passes after the third. */
const SCRIPT: ScriptInput = { turns: [step(1), step(2), step(3), step(4)] };

const status = z.object({ ...pilotView.shape, decisions: z.array(pilotDecisionRow) });

let world: RehearsalWorld;
afterEach(() => world.stop());

const pidIn = (path: string) => Number.parseInt(readFileSync(path, 'utf8'), 10);

async function launchPilot(...options: string[]): Promise<string> {
  world = await RehearsalWorld.start(SCRIPT);
  const checklist = join(world.home, 'done.yaml');
  writeFileSync(
    checklist,
    'steps:\n  - title: Three lines\n    check: test "$(wc -l < progress.txt)" -ge 3\n  - title: A file\n    check: test -f progress.txt\n',
  );
  const approved = await world.cli('checks', 'approve', checklist, '--yes');
  expect(approved).toMatchObject({ exitCode: 0 });
  return world.launch(
    'Write three lines',
    '--dir',
    world.repository,
    '--mode',
    'pilot',
    '--checklist',
    checklist,
    '--approvals',
    'accept_edits',
    ...options,
  );
}

const readPilot = (id: string) => world.json(status, 'pilot', 'status', id);

async function untilFinished(id: string) {
  let last: unknown = null;
  await until(
    'the Pilot to finish',
    async () => {
      const response = await world.call(`/v1/sessions/${id}/pilot`).catch(() => null);
      const view = response?.ok ? pilotView.parse(await response.json()) : null;
      last = view;
      return view?.status === 'finished';
    },
    { withinMs: 80_000, tell: () => `${JSON.stringify(last)} ${world.tell()}` },
  );
  return readPilot(id);
}

/** Checks that every instruction was one turn, and that each turn's work was done once. */
async function readFinished(id: string): Promise<string> {
  const pilot = await untilFinished(id);
  expect(pilot).toMatchObject({ turns: 3, reason: 'All 2 checks pass.' });
  const { view } = await world.detail(id);
  expect(view.turns.map(({ state, outcome }) => [state, outcome])).toEqual([
    ['ended', 'ok'],
    ['ended', 'ok'],
    ['ended', 'ok'],
  ]);
  const directory = view.checkout?.directory ?? '';
  // One that came back undelivered is accepted anew, and is still handed over once.
  const started = await world.events(id, 'turn/started');
  expect(new Set(started.map(({ turnId }) => turnId)).size).toBe(started.length);
  // A machine that was away for a while is told of, and was no decision.
  const decided = pilot.decisions.flatMap(({ next }) => next ?? []);
  expect(decided).toEqual(['finish', 'instruct', 'instruct']);
  return readFileSync(join(directory, 'progress.txt'), 'utf8');
}

/** Waits until so many turns have begun: kills come in the middle of work. */
const untilBegun = (id: string, turns: number) =>
  until(
    `turn ${turns} to begin`,
    async () => {
      // In between nobody answers.
      const detail = await world.detail(id).catch(() => null);
      const begun = detail?.view.turns.filter(({ startedAt }) => startedAt !== null);
      return (begun?.length ?? 0) >= turns;
    },
    { withinMs: 60_000, tell: () => world.tell() },
  );

async function killWorkerd(): Promise<void> {
  const before = pidIn(world.layout.workerdPidFile);
  process.kill(before, 'SIGKILL');
  await until('another workerd', () => pidIn(world.layout.workerdPidFile) !== before);
}

describe('a Pilot’s run goes on by itself, and does everything once', () => {
  it('after kill -9 of workerd in the middle of two turns', async () => {
    const id = await launchPilot();
    await untilBegun(id, 1);
    await killWorkerd();
    await untilBegun(id, 2);
    await killWorkerd();
    expect(await readFinished(id)).toBe('1\n2\n3\n');
  });

  it('after kill -9 of the runner, and of the host when it is started again', async () => {
    const id = await launchPilot();
    await world.untilTurns(id, 1);
    await world.installation.end('SIGKILL');
    await world.up();
    await untilBegun(id, 2);
    process.kill(pidIn(world.layout.runnerPidFile), 'SIGKILL');
    expect(await readFinished(id)).toBe('1\n2\n3\n');
  });
});
