import { describe, expect, it } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import { findObject } from '../../../runner/engines/aside.ts';
import type { AsideQuestion, EngineLaunch } from '../../../runner/engines/engine.ts';
import { turnUuid } from '../../../runner/engines/ids.ts';
import { engineOfPreset } from '../../../runner/engines/presets.ts';
import { ENGINES, findEngine } from '../../../runner/engines/registry.ts';
import { PARSERS } from '../../../protocol/parsers.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { aPreset } from '../../support/preset-builders.ts';

const TURN = turnId.parse('trn_b1');
const QUESTION: AsideQuestion = {
  turnId: TURN,
  system: 'You decide.',
  prompt: '/clear is no command here',
  schema: { type: 'object' },
  maxMicroUsd: 1_500_000,
};

function planOf(
  engineId: string,
  over: Partial<AsideQuestion> = {},
  model: string | null = null,
  resume = false,
) {
  const launch = {
    launchId: 'lau_1',
    launch: aLaunch({ engineId, approvals: 'bypass', model }),
    directory: '/empty',
    engineSessionId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    resume,
    executable: `/bin/${engineId}`,
    version: '1',
    payer: 'api-key',
    credential: 'KEY',
  } as EngineLaunch;
  const plan = findEngine(engineId)?.aside?.plan(
    launch,
    { HOME: '/home/me' },
    { ...QUESTION, ...over },
  );
  if (!plan) throw new Error(`${engineId} cannot be asked`);
  return plan;
}

describe('the process that answers a question', () => {
  it('of claude has no tool, no connector, no hook, and ends at what may be spent', () => {
    const { argv, input, env } = planOf('claude', {}, 'small');
    const words = argv.join(' ');
    expect(words).toContain('--tools  --strict-mcp-config');
    expect(words).toContain('{"disableAllHooks":true}');
    expect(words).toContain('--no-session-persistence');
    expect(words).toContain('--max-budget-usd 1.5 --model small');
    expect(env['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC']).toBe('1');
    const lines = input
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { request: { subtype: 'initialize', hooks: {} } },
      { request: { subtype: 'get_usage' } },
      { type: 'user', uuid: turnUuid(TURN) },
    ]);
    // What begins with a slash would be a command of its own.
    expect(JSON.stringify(lines[2])).not.toContain('"/clear');
  });

  it('of claude has no limit where the session has none, and a cent at least', () => {
    expect(planOf('claude', { maxMicroUsd: null }).argv).not.toContain('--max-budget-usd');
    expect(planOf('claude', { maxMicroUsd: 1 }).argv.join(' ')).toContain('--max-budget-usd 0.01');
  });

  it('of codex is kept nowhere, runs nothing but in its read-only sandbox, and has a schema', () => {
    const { argv, files, input } = planOf('codex');
    const words = argv.join(' ');
    expect(words).toContain('--ephemeral --sandbox read-only');
    expect(words).toContain('--output-schema schema.json');
    for (const feature of ['shell_tool', 'unified_exec', 'multi_agent_v2', 'hooks'])
      expect(words).toContain(`features.${feature}=false`);
    expect(files).toEqual({ 'schema.json': '{"type":"object"}' });
    expect(input).toBe(QUESTION.prompt);
  });

  it('of gemini has a policy that denies every tool, and is asked for the form in words', () => {
    const { argv, files, input, env } = planOf('gemini');
    expect(argv.join(' ')).toContain('--policy /empty/no-tools.toml --extensions none');
    expect(files?.['no-tools.toml']).toMatch(/toolName = "\*"\ndecision = "deny"/);
    expect(env['GEMINI_SYSTEM_MD']).toBe('/empty/system.md');
    expect(files?.['system.md']).toBe(QUESTION.system);
    expect(input).toContain('{"type":"object"}');
    expect(input).not.toMatch(/^\//);
  });

  it('is never the conversation’s own, and asks for no resumption', () => {
    for (const id of ['claude', 'codex', 'gemini', 'rehearsal'])
      for (const word of ['--resume', 'resume'])
        expect(planOf(id, {}, null, true).argv).not.toContain(word);
  });
});

describe('whether an engine can be asked', () => {
  it('is a property of its preset: those that can be, and no others', () => {
    const able = ENGINES.filter(({ aside }) => aside).map(({ id, form }) => form ?? id);
    expect(able).toEqual(['claude', 'codex', 'app-server', 'gemini', 'acp', 'rehearsal']);
  });

  it.each(Object.keys(PARSERS) as (keyof typeof PARSERS)[])(
    'of a preset that is read as %s is what its engine can',
    (parser) => {
      const engine = engineOfPreset(aPreset({ parser }));
      expect(engine.aside !== undefined).toBe(PARSERS[parser].capabilities.structuredAnswer);
    },
  );
});

describe('an answer in words', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Here:\n```json\n{"a":{"b":2}}\n```\nThat is all.', { a: { b: 2 } }],
    ['{"a":1', undefined],
    ['none', undefined],
    ['} {', undefined],
  ])('%j holds %j', (text, object) => {
    expect(findObject(text)).toEqual(object);
  });
});
