import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { pilotDecisionPage, pilotView } from '../../protocol/pilot-view.ts';
import { listProcesses } from '../../runner/process/process-table.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
afterEach(() => world?.stop());

const USES = { do: 'usage', inputTokens: 9, outputTokens: 9, costUsd: 0.001 } as const;
const CLAIMS = [{ do: 'text', text: 'Done, all of it!' } as const, USES];
const FIXES = { do: 'edit', path: 'a.txt', find: 'hello', replace: 'goodbye', ask: false } as const;

async function piloted(): Promise<string> {
  const checklist = join(world.home, 'done.yaml');
  writeFileSync(
    checklist,
    'steps:\n  - title: It says goodbye\n    check: grep -q goodbye a.txt\n',
  );
  await world.cli('checks', 'approve', checklist, '--yes');
  const pilot = ['--mode', 'pilot', '--brain', 'engine', '--checklist', checklist];
  return world.launch('Say goodbye', ...pilot, '--dir', world.repository);
}

const pilotOf = (id: string) => world.get(pilotView, `/v1/sessions/${id}/pilot`);
async function untilPilot(id: string, status: string) {
  let last = '';
  return until(
    `the Pilot to be ${status}`,
    async () => {
      const view = await pilotOf(id);
      last = `${view.status}: ${view.reason}`;
      return view.status === status ? view : null;
    },
    { withinMs: 60_000, tell: () => `It is ${last}. ${world.tell()}` },
  );
}
const decisionsOf = async (id: string) =>
  (await world.get(pilotDecisionPage, `/v1/sessions/${id}/pilot/decisions`)).items.toReversed();
const askers = () => listProcesses().filter(({ pid }) => commandOf(pid).includes('--decide'));
const commandOf = (pid: number): string => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.some((word) => word.startsWith(world.home)) ? words.join(' ') : '';
  } catch {
    return '';
  }
};

it('decides by asking the engine itself: a bad answer again, then to the end, and paid apart', async () => {
  world = await RehearsalWorld.start({
    turns: [CLAIMS, [FIXES, USES]],
    decisions: [
      'I would say that we are finished.',
      { next: 'finish', reason: 'The engine says so.' },
      { next: 'instruct', instruction: 'Edit a.txt to say goodbye', reason: 'It still fails.' },
      { next: 'finish', reason: 'It says goodbye.' },
    ],
  });
  const id = await piloted();
  expect(await untilPilot(id, 'finished')).toMatchObject({
    brain: 'engine',
    brainModel: null,
    reason: 'It says goodbye.',
  });
  const { view } = await world.detail(id);
  expect(view.turns.map(({ text }) => text)).toEqual(['Say goodbye', 'Edit a.txt to say goodbye']);
  expect((await decisionsOf(id)).map(({ next, usage }) => [next, usage.length])).toEqual([
    [null, 1],
    ['finish', 1],
    ['instruct', 1],
    ['finish', 1],
  ]);
  expect(view.brainSpend?.rehearsal).toMatchObject({ entries: 4, inputTokens: 3_600 });
  expect(askers()).toEqual([]);
  const { stdout } = await world.cli('usage', '--by', 'engine');
  expect(stdout).toMatch(/brain/);
});

it('asks each question once, whatever becomes of the runner that asked', async () => {
  world = await RehearsalWorld.start({
    turns: [CLAIMS, [FIXES, USES]],
    decisions: [
      { next: 'instruct', instruction: 'Edit a.txt', reason: 'It fails.', afterMs: 4_000 },
      { next: 'finish', reason: 'It says goodbye.' },
    ],
  });
  const id = await piloted();
  const [asked] = await until('the question', async () => (askers().length > 0 ? askers() : null), {
    withinMs: 60_000,
    tell: () => world.tell(),
  });
  process.kill(Number(readFileSync(world.layout.runnerPidFile, 'utf8')), 'SIGKILL');
  expect(askers().map(({ pid }) => pid)).toContain(asked?.pid);
  await untilPilot(id, 'finished');
  // Where the machine was away it decided nothing, and put the same question again.
  const decided = (await decisionsOf(id)).flatMap(({ next }) => next ?? []);
  expect(decided).toEqual(['instruct', 'finish']);
  const spent = await world.events(id, 'brain/answered');
  expect(spent).toHaveLength(2);
});
