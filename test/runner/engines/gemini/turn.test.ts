import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engineEvent } from '../../../../protocol/engine-event.ts';
import { aProcess, STATS } from './harness.ts';

describe('the end of a turn', () => {
  test('is the exit of the process, not the line before it', () => {
    const process = aProcess().begin().say('Hi.').result();
    expect(process.ended()).toBeUndefined();
    expect(process.exit().ended()).toMatchObject({ outcome: 'ok', usage: 'recorded' });
  });

  test('holds when the process is killed while it only cleans up', () => {
    const process = aProcess().begin().result().exit({ exitCode: null, signal: 'SIGKILL' });
    expect(process.ended()?.outcome).toBe('ok');
  });

  test('with status 0 and without a result was made from outside', () => {
    const process = aProcess().begin().say('About to').exit();
    expect(process.ended()).toMatchObject({
      outcome: 'killed',
      error: { code: 'engine_crashed' },
      usage: 'unsettled',
    });
    expect(process.entries()).toMatchObject([{ provenance: 'unsettled', microUsd: null }]);
  });

  test('by an interrupt is asked with a signal, and is no failure', () => {
    const process = aProcess().begin().tool('t', 'sleep 9').interrupt();
    expect(process.items.at(-1)).toEqual({ kind: 'signal', signal: 'SIGINT' });
    process.exit({ expected: true });
    expect(process.ended()).toMatchObject({ outcome: 'interrupted', error: null });
    expect(process.of('tool/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('before the engine began is left to be tried again when it crashed', () => {
    const process = aProcess().exit({ exitCode: null, signal: 'SIGSEGV' });
    expect(process.events()).toEqual([]);
  });

  test.each([
    [41, 'auth_missing', true],
    [42, 'unknown', false],
    [44, 'workspace_refused', false],
    [52, 'unknown', false],
    [55, 'workspace_refused', false],
  ] as const)(
    'before it began with status %i is a failure of the instruction',
    (exitCode, code, fatal) => {
      const process = aProcess().exit({ exitCode, stderrTail: ['\u001B[31mWhy.\u001B[0m'] });
      expect(process.ended()).toMatchObject({ outcome: 'failed', error: { code }, usage: 'none' });
      expect(process.ended()?.error?.message).toContain('(The engine says: Why.)');
      expect(process.items.some(({ kind }) => kind === 'fatal')).toBe(fatal);
    },
  );

  test.each([
    [401, 'auth_expired'],
    [403, 'auth_expired'],
    [404, 'model_not_found'],
    [429, 'rate_limited'],
    [500, 'overloaded'],
    [503, 'overloaded'],
    [400, 'unknown'],
  ] as const)('by the provider’s %i, which comes modulo 256, is %s', (status, code) => {
    const process = aProcess()
      .begin()
      .fail('[API Error]', { m: { ...STATS, total_tokens: 0 } });
    process.exit({ exitCode: status % 256 });
    expect(process.ended()).toMatchObject({ outcome: 'failed', error: { code }, usage: 'none' });
  });

  test('whose model is not there says so by its class alone, and has used nothing unseen', () => {
    const gone = aProcess().begin().fail('[API Error: gone-9 was not found]');
    gone.exit({ exitCode: 1, stderrTail: ['ModelNotFoundError: gone-9 was not found'] });
    expect(gone.ended()).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_not_found' },
      usage: 'none',
    });
  });

  test('by an exhausted quota is told from a rate limit, and a wrong key from a bad request', () => {
    const quota = aProcess().begin().fail('[API Error: daily]');
    quota.exit({ exitCode: 173, stderrTail: ['TerminalQuotaError: You have exhausted'] });
    expect(quota.ended()?.error?.code).toBe('quota_exhausted');
    const key = aProcess().begin().fail('[API Error: {"reason":"API_KEY_INVALID"}]');
    expect(key.exit({ exitCode: 144 }).ended()?.error?.code).toBe('auth_expired');
  });

  test('by a stream that broke off says that a part of the spend is not known', () => {
    const models = {
      helper: STATS,
      main: { ...STATS, total_tokens: 0, input_tokens: 0, cached: 0 },
    };
    const process = aProcess().begin().say('Half a').fail('[API Error: terminated]', models);
    process.exit({ exitCode: 1 });
    expect(process.ended()).toMatchObject({ outcome: 'failed', usage: 'unsettled' });
    expect(process.entries()).toMatchObject([
      { model: 'helper', provenance: 'estimated' },
      { model: 'main', provenance: 'unsettled', microUsd: null },
    ]);
  });
});

describe('usage', () => {
  test('counts thoughts as output and cached tokens once', () => {
    const process = aProcess().begin().result().exit();
    expect(process.entries()).toEqual([
      {
        model: 'gemini-3.8-flash',
        provenance: 'estimated',
        payer: 'api-key',
        inputTokens: 70,
        outputTokens: 50,
        cacheReadTokens: 30,
        cacheWriteTokens: 0,
        microUsd: 242,
      },
    ]);
  });

  test('of a model without a known price has tokens and no dollars', () => {
    const process = aProcess().begin().result({ 'gemini-99': STATS }).exit();
    expect(process.entries()).toMatchObject([{ outputTokens: 50, microUsd: null }]);
  });

  test.each([
    ['negative', { ...STATS, input_tokens: -1 }],
    ['fractional', { ...STATS, total_tokens: 1.5 }],
    ['more cached than read', { ...STATS, cached: 101 }],
    ['absent', {}],
    ['no object', 7],
  ])('that is %s is refused, told and recorded as unsettled', (_how, figures) => {
    const process = aProcess().begin().result({ good: STATS, bad: figures }).exit();
    expect(process.ended()).toMatchObject({ outcome: 'ok', usage: 'unsettled' });
    expect(process.of('notice/raised')[0]).toMatchObject({ code: 'usage_refused' });
    expect(process.entries()).toMatchObject([
      { model: 'good', provenance: 'estimated' },
      { model: 'bad', provenance: 'unsettled' },
    ]);
  });

  test('that is missing from a finished turn is none, which halts the session', () => {
    const process = aProcess().begin().line({ type: 'result', status: 'success' }).exit();
    expect(process.ended()).toMatchObject({ outcome: 'ok', usage: 'none' });
  });
});

test('no line whatever makes the parser throw, or make an event that the protocol refuses', () => {
  const id = fc.constantFrom('t', '__proto__', 'constructor', '', 'x'.repeat(300));
  const any = fc.anything({ withBigInt: false });
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .tuple(
        fc.constantFrom(
          'init',
          'message',
          'tool_use',
          'tool_result',
          'error',
          'result',
          '__proto__',
        ),
        fc.dictionary(
          fc.constantFrom('session_id', 'role', 'content', 'tool_id', 'status', 'stats', 'error'),
          any,
        ),
      )
      .map(([type, rest]) => JSON.stringify({ ...rest, type })),
    fc.tuple(id, fc.constantFrom('git push', 'ls', '')).map(([tool_id, command]) =>
      JSON.stringify({
        type: 'tool_use',
        tool_name: 'run_shell_command',
        tool_id,
        parameters: { command },
      }),
    ),
    id.map((tool_id) => JSON.stringify({ type: 'tool_result', tool_id, status: 'success' })),
    fc.string().map((content) => JSON.stringify({ type: 'message', role: 'assistant', content })),
    fc
      .dictionary(fc.string(), any)
      .map((models) => JSON.stringify({ type: 'result', status: 'success', stats: { models } })),
  );
  const exit = fc.record({
    exitCode: fc.option(fc.nat(255)),
    signal: fc.constantFrom(null, 'SIGKILL'),
    expected: fc.boolean(),
    stderrTail: fc.array(fc.string(), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), exit, (lines, end) => {
      const process = aProcess();
      for (const each of lines) process.raw(each);
      process.exit(end);
      for (const event of process.events()) engineEvent.parse(event);
      expect(process.of('turn/ended')).toHaveLength(process.of('turn/started').length);
      expect(process.of('tool/ended')).toHaveLength(process.of('tool/started').length);
      expect(process.of('act/ended')).toHaveLength(process.of('act/seen').length);
    }),
    { numRuns: 400 },
  );
});
