import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SessionId } from '../../../protocol/ids.ts';
import type { EnginePreset, EnginePresetInput } from '../../../protocol/preset.ts';
import { approveEngine, findApprovalsPath } from '../../../runner/limits/approved-engines.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { aCommand, anInstruction, aSessionId, aStart } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

aMachineForEachTest();
beforeEach(() => {
  machine.startDaemon(relay);
});

const aScript = (text: string): string => {
  const path = join(machine.root, 'agent.sh');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
};
const approve = (preset: EnginePreset): void =>
  approveEngine(findApprovalsPath(machine.env['PILOTHOUSE_LIMITS'] ?? ''), preset, 0);

/** Launches a script that was approved as it stands. */
const launch = (script: string, over: Partial<EnginePresetInput> = {}, text = 'go'): SessionId => {
  const preset = aPreset({ command: [aScript(script)], ...over });
  approve(preset);
  return start(preset, text);
};
const start = (preset: EnginePreset, text = 'go'): SessionId => {
  const session = aSessionId();
  relay.command(aStart(session, text, { engineId: preset.id, preset, directory: machine.work }));
  return session;
};
const shown = (session: SessionId): string =>
  relay
    .ofType(session, 'text/completed')
    .map(({ text }) => text.text)
    .join('');
/** Whether a process runs; one that ended and that nobody waited for does not. */
const isRunning = (pidFile: string): boolean => {
  try {
    const stat = readFileSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}/stat`, 'utf8');
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
};

describe('a command as an engine', () => {
  test('gets the instruction, and what it prints is the answer', async () => {
    const session = launch('printf "You said:\\n\\n"; cat; printf "\\033[32mgreen\\033[0m\\n"');
    const ended = await relay.event(session, 'turn/ended');
    expect(ended).toMatchObject({ outcome: 'ok', usage: 'unobservable', acts: 'unobservable' });
    expect(shown(session)).toBe('You said:\n\ngogreen\n');
    expect(relay.ofType(session, 'usage/recorded')).toMatchObject([
      { entries: [{ provenance: 'unmetered', model: 'my-agent', microUsd: null }] },
    ]);
    expect(relay.ofType(session, 'session/halted')).toEqual([]);
  });

  test('that ends with 3 is a turn that failed, with its last words; it is not started again', async () => {
    const session = launch('echo started >> "$0.log"; echo "no such model" >&2; exit 3');
    const ended = await relay.event(session, 'turn/ended');
    expect(ended).toMatchObject({ outcome: 'failed' });
    expect(ended.error?.message).toContain('exit code 3. Its last words: “no such model”');
    expect(await relay.event(session, 'engine/exited')).toMatchObject({ exitCode: 3 });
    relay.command(anInstruction(session, 'again'));
    await until('the second turn', () => relay.ofType(session, 'turn/ended').length === 2);
    expect(readFileSync(join(machine.root, 'agent.sh.log'), 'utf8')).toBe('started\nstarted\n');
  });

  test('is interrupted with all that it started, also what hides in a session of its own', async () => {
    const session = launch(
      'setsid sleep 300 & echo $! > "$0.hidden"; sleep 300 & echo $! > "$0.plain"; echo up; wait',
    );
    const files = ['hidden', 'plain'].map((name) => join(machine.root, `agent.sh.${name}`));
    await until('it to work', () => files.every((file) => existsSync(file) && isRunning(file)));
    await relay.event(session, 'turn/started');
    relay.command(aCommand('session/interrupt', session, {}));
    expect(await relay.event(session, 'turn/ended', () => true, 20_000)).toMatchObject({
      outcome: 'interrupted',
    });
    await relay.event(session, 'engine/exited');
    expect(files.map(isRunning)).toEqual([false, false]);
  });

  test('that remembers nothing is told of what came before, and the record says so', async () => {
    const session = launch('echo "I was given:"; cat; echo', {}, 'count the masts');
    await relay.event(session, 'turn/ended');
    expect(relay.ofType(session, 'turn/briefed')).toEqual([]);
    relay.command(anInstruction(session, 'now the sails'));
    await until('the second turn', () => relay.ofType(session, 'turn/ended').length === 2);
    const [, first = '', second = ''] = shown(session).split(/^I was given:\n(?=count|You)/m);
    expect(first).toBe('count the masts\n');
    expect(second).toMatch(/Asked: count the masts\nAnswered: I was given:\ncount the masts/);
    expect(second).toMatch(/What is asked now:\n\nnow the sails\n$/);
    expect(relay.ofType(session, 'turn/briefed')).toMatchObject([{ turns: 1 }]);
  });

  test('goes on in its own conversation where it has words for that', async () => {
    const resume = { begin: ['--new', '{session}'], again: ['--continue', '{session}'] };
    const session = launch('echo "$1 $2"', { resume });
    await relay.event(session, 'turn/ended');
    relay.command(anInstruction(session, 'more'));
    await until('the second turn', () => relay.ofType(session, 'turn/ended').length === 2);
    const [first, second] = shown(session).trim().split('\n');
    expect(first).toMatch(/^--new [0-9a-f-]{36}$/);
    expect(second).toBe(first?.replace('--new', '--continue'));
  });
});

describe('a cloud that lies', () => {
  const attempt = async (preset: EnginePreset, engineId = preset.id) => {
    const session = aSessionId();
    const command = aStart(session, 'go', { engineId, preset, directory: machine.work });
    relay.command(command);
    const result = await relay.result(command.id);
    expect(relay.ofType(session, 'turn/started')).toEqual([]);
    expect(relay.ofType(session, 'launch/failed')).toHaveLength(1);
    return result;
  };

  test('runs nothing on the machine that was not approved there, under whatever name', async () => {
    const script = aScript('touch "$0.ran"');
    const approved = aPreset({ command: ['cat'] });
    approve(approved);
    const evil = aPreset({ command: [script] });
    expect(await attempt(evil)).toMatchObject({
      code: 'engine_not_approved',
      message: expect.stringContaining(`(${script})`),
    });
    for (const lie of [
      { ...approved, command: ['cat', script] as [string, string] },
      { ...approved, input: 'argument' as const },
      { ...evil, parser: 'claude-stream-json' as const },
    ])
      expect(await attempt(lie)).toMatchObject({ code: 'engine_not_approved' });
    expect(await attempt({ ...evil, id: 'rehearsal' })).toMatchObject({ code: 'engine_id_taken' });
    expect(await attempt(evil, 'rehearsal')).toMatchObject({ code: 'bad_request' });
    expect(existsSync(`${script}.ran`)).toBe(false);
  });

  test('starts no program by asking whether it is there', async () => {
    const preset = aPreset({ command: [aScript('touch "$0.ran"; echo 1.2.3')], minVersion: '1.0' });
    const look = aCommand('engines/look', null, { presets: [preset] });
    relay.command(look);
    expect(await relay.result(look.id)).toMatchObject({
      ok: true,
      value: {
        engines: [
          {
            engineId: 'my-agent',
            ready: false,
            remedy: expect.stringContaining('pilothouse engines approve my-agent'),
          },
        ],
      },
    });
    expect(existsSync(`${preset.command[0]}.ran`)).toBe(false);
    approve(preset);
    const again = aCommand('engines/look', null, { presets: [preset] });
    relay.command(again);
    expect(await relay.result(again.id)).toMatchObject({
      value: { engines: [{ ready: true, version: '1.2.3', capabilities: { usage: 'none' } }] },
    });
  });
});
