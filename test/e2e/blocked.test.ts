import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EnginePresetInput } from '../../protocol/preset.ts';
import { findFaults } from '../faults/record.ts';
import { until } from '../support/until.ts';
import { World } from './world.ts';

/** A command that asks: a question that may be answered, one that may not, and for a secret. */
const SCRIPT = `#!/bin/sh
ask() { printf '%s ' "$1"; read -r answer || answer='(end of input)'; echo "heard: $answer"; }
case "$1" in
  *trust*) ask 'Do you trust this directory? [y/N]' ;;
  *strange*) ask 'Which colour?' ;;
  *login*) ask 'Password:' ;;
  *silent*) sleep 4; echo 'built' ;;
esac
`;

const PRESET: EnginePresetInput = {
  id: 'asker',
  label: 'Asker',
  parser: 'text',
  command: ['/bin/sh'],
  input: 'argument',
  prompts: [{ text: 'Do you trust this directory? [y/N]', answers: ['y', 'n'] }],
};

let world: World;
const imported = async (preset: object, id: string) => {
  const file = join(world.home, `${id}.json`);
  writeFileSync(
    file,
    JSON.stringify({ kind: 'pilothouse/engine', formatVersion: 1, preset: { ...preset, id } }),
  );
  const done = await world.cli('engines', 'import', file);
  expect([done.stderr, done.exitCode]).toEqual(['', 0]);
  const shown = JSON.parse((await world.cli('engines', 'show', id, '--json')).stdout);
  const approved = await world.cli('engines', 'approve', id, '--hash', shown.sha256);
  expect([approved.stderr, approved.exitCode]).toEqual(['', 0]);
};
const said = async (sessionId: string) =>
  (await world.events(sessionId, 'text/completed')).map(({ text }) => text.text).join('');

beforeAll(async () => {
  world = new World();
  const script = join(world.home, 'asker.sh');
  writeFileSync(script, SCRIPT);
  chmodSync(script, 0o755);
  await world.up();
  await imported({ ...PRESET, command: [script] }, 'asker');
  await imported({ ...PRESET, command: [script], prompts: [] }, 'deaf');
});
afterAll(() => world?.stop());

describe('an engine that asks outside every protocol', () => {
  it('is answered with exactly what its preset allows, once, and it is on record', async () => {
    const id = await world.launchOn('asker', 'please trust');
    const { view } = await world.untilState(id, 'awaiting_human');
    expect(view.pendingApprovals).toMatchObject([
      { kind: 'question', toolName: 'Standard input', summary: PRESET.prompts?.[0]?.text },
    ]);
    const [request] = view.pendingApprovals;
    expect(request?.expiresAt).toBeGreaterThan(Date.now());
    const free = await world.cli('sessions', 'answer', id, 'rm -rf /');
    expect(free.exitCode).toBe(0);
    await until('the refusal', async () => (await world.events(id, 'command/failed')).length === 1);
    const [refused] = await world.events(id, 'command/failed');
    expect(refused?.message).toContain('takes only: y, n');
    expect((await world.cli('sessions', 'answer', id, 'y')).exitCode).toBe(0);
    await world.untilTurns(id, 1);
    expect(await said(id)).toBe('Do you trust this directory? [y/N] heard: y\n');
    expect(await world.events(id, 'approval/decided')).toMatchObject([
      { answer: { answers: { 'Do you trust this directory? [y/N]': 'rm -rf /' } } },
      { answer: { answers: { 'Do you trust this directory? [y/N]': 'y' } }, channel: 'cli' },
    ]);
    expect(await world.events(id, 'approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
    const again = await world.cli('sessions', 'answer', id, 'y');
    expect(again.exitCode).not.toBe(0);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  it('blocks the session with its words where nobody vouched for an answer, and nothing is typed', async () => {
    const id = await world.launchOn('asker', 'something strange');
    const { view, summary } = await world.untilState(id, 'blocked');
    expect(view.blocked?.excerpt).toContain('Which colour?');
    expect(summary.reason).toContain('open the same command in your own terminal');
    const shown = await world.cli('sessions', 'show', id);
    expect(shown.stdout).toMatch(/Which colour\?[^]*Open in my terminal: .*sessions by-hand ses_/);
    const byHand = await world.cli('sessions', 'by-hand', id, '--json');
    const { command, directory, environment } = JSON.parse(byHand.stdout);
    expect([directory, environment]).toEqual([
      view.checkout?.directory,
      expect.arrayContaining(['HOME', 'PATH']),
    ]);
    // It is run as it is printed, and asks the person what it asked in the session.
    const heard = execFileSync('sh', ['-c', command], { input: 'blue\n', encoding: 'utf8' });
    expect(heard).toBe('Which colour? heard: blue\n');
    const answered = await world.cli('sessions', 'answer', id, 'blue');
    expect([answered.exitCode, answered.stderr]).toEqual([
      4,
      expect.stringContaining('Nothing is typed into it from here'),
    ]);
    expect(await said(id)).toBe('');
    await world.cli('sessions', 'interrupt', id);
    const ended = await world.untilTurns(id, 1);
    expect(ended.view.turns[0]?.outcome).toBe('interrupted');
    expect(ended.view.blocked).toBeNull();
  });

  it('is never asked for a secret', async () => {
    const id = await world.launchOn('asker', 'login first');
    const { view } = await world.untilState(id, 'blocked');
    expect(view.blocked?.message).toContain('Secrets are never typed from here');
    expect(view.pendingApprovals).toEqual([]);
    await world.cli('sessions', 'stop', id);
    await world.untilState(id, 'stopped');
  });

  it('waits on for its answer when the runner is killed in between', async () => {
    const id = await world.launchOn('asker', 'please trust');
    await world.untilState(id, 'awaiting_human');
    const before = readFileSync(world.layout.runnerPidFile, 'utf8');
    process.kill(Number(before), 'SIGKILL');
    await until(
      'the next runner',
      () =>
        existsSync(world.layout.runnerPidFile) &&
        readFileSync(world.layout.runnerPidFile, 'utf8') !== before,
      { withinMs: 60_000 },
    );
    await world.untilRunnerIsReady();
    expect((await world.cli('sessions', 'answer', id, 'n')).exitCode).toBe(0);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]?.outcome).toBe('ok');
    expect(await said(id)).toContain('heard: n');
  });

  it('is left alone while it works in silence', async () => {
    const id = await world.launchOn('asker', 'a silent build');
    await world.untilTurns(id, 1);
    expect(await world.events(id, 'engine/blocked')).toEqual([]);
    expect(await said(id)).toBe('built\n');
  });

  it('gets the end of its input at once where its preset allows no prompt', async () => {
    const id = await world.launchOn('deaf', 'please trust');
    await world.untilTurns(id, 1);
    expect(await said(id)).toContain('heard: (end of input)');
    expect(await world.events(id, 'engine/blocked')).toEqual([]);
  });
});
