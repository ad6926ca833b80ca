import { describe, expect, it } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import { readReply } from '../../../runner/brain/read-reply.ts';
import type { EngineExit, EngineLaunch } from '../../../runner/engines/engine.ts';
import { findEngine } from '../../../runner/engines/registry.ts';
import { turnUuid } from '../../../runner/engines/ids.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

const TURN = turnId.parse('trn_b1');
const NOW = 1_764_000_000_000;
const ANSWER = { next: 'finish', instruction: null, waitMinutes: null, reason: 'It passes.' };
const OK: EngineExit = { exitCode: 0, signal: null, expected: false, stderrTail: [] };

function read(engineId: string, lines: object[], exit: EngineExit = OK, approvals = 'bypass') {
  const launch = aLaunch({ engineId, approvals: approvals as 'bypass', model: 'gpt-5.5' });
  const engine = findEngine(engineId, launch.approvals);
  if (!engine) throw new Error(engineId);
  const found = {
    executable: engineId,
    version: '1',
    payer: 'api-key',
    credential: 'KEY',
  } as const;
  const process = {
    launchId: 'lau_1',
    launch,
    directory: '/',
    engineSessionId: 'x',
    resume: false,
  };
  return readReply(
    engine,
    {
      launch: { ...found, ...process } as EngineLaunch,
      turnId: TURN,
      lines: lines.map((line) => JSON.stringify(line)),
      exit,
    },
    NOW,
  );
}

const claude = (over: object) => [
  {
    type: 'system',
    subtype: 'init',
    session_id: 'x',
    model: 'm',
    apiKeySource: 'ANTHROPIC_API_KEY',
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    session_id: 'x',
    total_cost_usd: 0.002,
    modelUsage: {
      m: {
        inputTokens: 10,
        outputTokens: 5,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        costUSD: 0.002,
      },
    },
    user_message_uuid: turnUuid(TURN),
    uuid: 'r1',
    ...over,
  },
];
const codex = (text: string) => [
  { type: 'thread.started', thread_id: 't' },
  { type: 'turn.started' },
  { type: 'item.completed', item: { id: 'i', type: 'agent_message', text } },
  {
    type: 'turn.completed',
    usage: { input_tokens: 1_000, cached_input_tokens: 400, output_tokens: 60 },
  },
];
const gemini = (content: string) => [
  { type: 'init', session_id: 'x', model: 'gemini-3.8-flash' },
  { type: 'message', role: 'assistant', content, delta: true },
  {
    type: 'result',
    status: 'success',
    stats: {
      models: {
        'gemini-3.8-flash': { total_tokens: 20, input_tokens: 15, output_tokens: 5, cached: 0 },
        'gemini-3.5-flash-lite': { total_tokens: 4, input_tokens: 3, output_tokens: 1, cached: 0 },
      },
    },
  },
];

describe('the answer of an engine', () => {
  it('is read from the form that claude has for it, with its own figure', () => {
    const reply = read('claude', claude({ structured_output: ANSWER }));
    expect(reply).toMatchObject({ kind: 'answered', answer: ANSWER });
    expect(reply.usage).toMatchObject([{ provenance: 'reported', microUsd: 2_000 }]);
  });

  it.each([
    ['codex', codex(JSON.stringify(ANSWER)), 'bypass', 1],
    ['codex, whose other form is at work', codex(JSON.stringify(ANSWER)), 'ask', 1],
    ['gemini', gemini(`Here it is:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``), 'bypass', 2],
    ['gemini, whose other form is at work', gemini(JSON.stringify(ANSWER)), 'ask', 2],
  ])('is the last words of %s, with every model that took part', (name, lines, mode, models) => {
    const reply = read(name.split(',')[0] ?? '', lines, OK, mode);
    expect(reply).toMatchObject({ kind: 'answered', answer: ANSWER });
    expect(reply.usage).toHaveLength(models);
    for (const { microUsd } of reply.usage) expect(microUsd).toBeGreaterThan(0);
  });

  it.each([
    ['words', codex('I am done.'), 'not a decision'],
    ['a decision that lacks its reason', codex('{"next":"finish"}'), 'not a decision'],
    ['nothing', codex('').slice(0, 2), 'ended in mid-turn'],
  ])('that is %s is none, and is paid for all the same', (_, lines, problem) => {
    const reply = read('codex', lines);
    expect(reply).toMatchObject({ kind: 'undecided', problem: expect.stringContaining(problem) });
    expect(reply.usage).toHaveLength(1);
  });

  it.each([
    ['authentication_failed', 401, null],
    ['rate_limit', 429, 60_000],
  ])('that is refused with %s (%i) waits %s ms', (error, status, waitMs) => {
    const [init, result] = claude({ is_error: true, api_error_status: status, result: 'No.' });
    const said = { type: 'assistant', session_id: 'x', error, message: { id: 'm1', content: [] } };
    const reply = read('claude', [init ?? {}, said, result ?? {}]);
    expect(reply).toMatchObject({ kind: 'unavailable', waitMs });
  });
});
