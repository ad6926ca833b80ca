/**
 * `npm run bench:seal`: what a seal adds to the start of a process: a program that ends at once,
 * alone, sealed as a session's engine is, and kept to its model, in turns.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import type { SpawnPlan } from '../../runner/engines/engine.ts';
import { rehearsal } from '../../runner/engines/rehearsal/preset.ts';
import { prepareCheckout } from '../../runner/guard/workspace.ts';
import { readLimits } from '../../runner/limits.ts';
import { Keeper } from '../../runner/seal/keeper.ts';
import { probeSeal } from '../../runner/seal/probe.ts';

const ROUNDS = 100;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-bench-seal-')));
const repository = join(home, 'project');
const root = join(home, 'data', 'runner');
const env = { ...process.env, HOME: home, PILOTHOUSE_DATA: join(home, 'data') };
const limits = () => readLimits(null, home);

const timeOf = ({ argv: [file, ...args], directory, env }: SpawnPlan): number => {
  const from = performance.now();
  const { status, stderr } = spawnSync(file, args, { cwd: directory, env });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - from;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function measure(): Promise<void> {
  mkdirSync(repository, { recursive: true });
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['init', '--quiet', repository]);
  execFileSync('git', [...person, 'commit', '--quiet', '--allow-empty', '-m', 'Begin'], {
    cwd: repository,
  });
  const checkout = await prepareCheckout({
    sessionId: sessionId.parse('ses_bench'),
    title: 'Bench',
    launch: launchSpec.parse({ engineId: 'rehearsal', directory: repository, objective: 'x' }),
    root: join(root, 'checkouts'),
    limits: limits(),
    grade: { grade: 'sealed', reason: 'It is measured.' },
  });
  const keeper = new Keeper({ root, env, limits, log: () => undefined });
  const plan: SpawnPlan = {
    argv: ['/bin/true'],
    directory: checkout.directory,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  };
  const rooms: number[] = [];
  const sealed: number[] = [];
  const open: number[] = [];
  const closed: number[] = [];
  const apart = {
    ...checkout,
    grade: { grade: 'sealed', reason: 'It is measured.', network: 'model-only' },
  } as const;
  for (let round = 0; round < ROUNDS; round++) {
    open.push(timeOf(plan));
    const from = performance.now();
    const inside = await keeper.seal(plan, rehearsal, checkout, null);
    rooms.push(performance.now() - from);
    sealed.push(timeOf(inside));
    closed.push(timeOf(await keeper.seal(plan, rehearsal, apart, null)));
  }
  await keeper.closeNetworks();
  await keeper.close();
  const [alone, room, within] = [median(open), median(rooms), median(sealed)];
  const added = room + within - alone;
  const kept = median(closed);
  console.log(
    `alone ${alone.toFixed(1)} ms, sealed ${within.toFixed(1)} ms (${(within / alone).toFixed(1)} times), room made ready in ${room.toFixed(1)} ms: a seal adds ${added.toFixed(1)} ms. Kept to its model ${kept.toFixed(1)} ms (${(kept / within).toFixed(1)} times the seal). Medians of ${ROUNDS}.`,
  );
}

const { problem, remedy } = probeSeal(env);
try {
  if (problem === null) await measure();
  else console.error(`${problem} ${remedy ?? ''}`.trim());
} finally {
  rmSync(home, { recursive: true, force: true });
}
