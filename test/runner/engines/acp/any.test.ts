import { describe, expect, test } from 'vitest';
import type { AcpState } from '../../../../runner/engines/acp/state.ts';
import { createAnyAcpEngine } from '../../../../runner/engines/acp/any.ts';
import { engineOfPreset } from '../../../../runner/engines/presets.ts';
import { aPreset } from '../../../support/preset-builders.ts';
import { anEngineLaunch } from '../harness.ts';
import { aTalk, atWork } from './harness.ts';

const PRESET = aPreset({ parser: 'acp', command: ['my-agent', '--profile', 'work', 'acp'] });
const engine = createAnyAcpEngine(PRESET, {
  nestedVariables: [],
  secretVariables: [],
  secretFiles: () => [],
});
const rows = (talk: ReturnType<typeof aTalk>) =>
  talk
    .of('usage/recorded')
    .flatMap((event) => event.entries)
    .map(({ provenance, microUsd }) => [provenance, microUsd]);

describe('an agent that nobody knows', () => {
  test('is started with the words that were approved, and with no others', () => {
    const limited = engineOfPreset({ ...PRESET, env: ['A_KEY'] });
    const given = { A_KEY: 'a', B_KEY: 'b', OPENCODE: '1', PATH: '/bin' };
    const launch = anEngineLaunch({ executable: '/opt/my-agent' });
    expect(limited.plan(launch, given)).toEqual({
      argv: ['/opt/my-agent', '--profile', 'work', 'acp'],
      directory: launch.directory,
      env: { A_KEY: 'a', PATH: '/bin' },
    });
    expect(limited).toMatchObject({ programs: ['my-agent'], keptVariables: ['A_KEY'] });
    expect(limited.interactivePlan).toBeUndefined();
  });

  test('that tells nothing of its cost has an unmetered turn', () => {
    const talk = atWork({ engine }).say('Hello.').ends('end_turn', {
      inputTokens: 9,
      outputTokens: 4,
    });
    expect(rows(talk)).toEqual([['unmetered', null]]);
    expect(talk.ended()).toMatchObject({ outcome: 'ok', usage: 'unobservable' });
  });

  test('that tells its cost has it recorded, and beside it that there may be more', () => {
    const talk = atWork({ engine }).costs(0.02).ends();
    expect(rows(talk)).toEqual([
      ['reported', 20_000],
      ['unmetered', null],
    ]);
    expect(talk.ended()?.usage).toBe('recorded');
    const next = talk.instruct().costs(0.05);
    expect(next.items.at(-1)).toEqual({ kind: 'estimate', microUsd: 30_000 });
    expect(rows(next.ends()).slice(2)).toEqual([
      ['reported', 30_000],
      ['unmetered', null],
    ]);
  });

  test('that dies in its turn leaves what it had told', () => {
    const talk = atWork({ engine }).costs(0.02).exit({ exitCode: 1 });
    expect(rows(talk)).toEqual([
      ['reported', 20_000],
      ['unmetered', null],
    ]);
  });

  test('whose earlier cost is not known here has no figure that could be wrong', () => {
    const launch = { resume: true, engineSessionId: 'earlier' };
    const setting = { engine, launch, before: undefined as unknown as AcpState };
    const talk = aTalk(setting)
      .answers('initialize', { agentCapabilities: { loadSession: true } })
      .answers('session', {})
      .instruct()
      .costs(0.5)
      .ends();
    expect(rows(talk)).toEqual([['unmetered', null]]);
    expect(talk.ended()?.usage).toBe('unobservable');
  });

  test.each([
    [['git', 'push', 'origin', 'main'], 'git push origin main'],
    [['bash', '-lc', 'cd x && git push'], "bash -lc 'cd x && git push'"],
    ['git push', 'git push'],
  ])('has its command seen as a line or as words: %j', (command, line) => {
    const talk = atWork({ engine }).call('t', {
      kind: 'execute',
      status: 'in_progress',
      rawInput: { command },
    });
    expect(talk.of('tool/started')).toMatchObject([{ name: 'shell', summary: line }]);
    expect(talk.of('act/seen')).toMatchObject([{ act: { kind: 'push' } }]);
  });
});
