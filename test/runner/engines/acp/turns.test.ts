import { describe, expect, test } from 'vitest';
import { geminiAcp } from '../../../../runner/engines/gemini/acp.ts';
import { FIRST } from '../harness.ts';
import { aTalk, atWork } from './harness.ts';

const RESUMED = { resume: true, engineSessionId: 'earlier' };
const entries = (talk: ReturnType<typeof aTalk>) =>
  talk
    .of('usage/recorded')
    .flatMap((event) => event.entries)
    .map(({ provenance, microUsd }) => [provenance, microUsd]);

describe('a turn', () => {
  test.each([
    ['end_turn', 'ok', null],
    ['cancelled', 'interrupted', null],
    ['max_tokens', 'failed', 'greatest length'],
    ['max_turn_requests', 'failed', 'its own limit'],
    ['refusal', 'failed', 'refused'],
    ['constructor', 'failed', '“constructor”'],
  ])('that stops by %s is %s', (reason, outcome, words) => {
    const ended = atWork().costs(0.01).ends(reason).ended();
    expect(ended).toMatchObject({ turnId: FIRST, outcome });
    expect(ended?.error?.message ?? null).toEqual(words && expect.stringContaining(words));
  });

  test('is ended by the answer to its own instruction only', () => {
    const talk = atWork().answers('turn:trn_other', { stopReason: 'end_turn' });
    expect(talk.ended()).toBeUndefined();
    expect(talk.ends().ends().of('turn/ended')).toHaveLength(1);
  });

  test('that fails after it was interrupted was interrupted', () => {
    const talk = atWork().interrupt().fails(`turn:${FIRST}`, { code: -32_603, message: 'Aborted' });
    expect(talk.ended()).toMatchObject({ outcome: 'interrupted', error: null });
    expect(talk.written().at(-1)).toMatchObject({ method: 'session/cancel' });
  });

  test('that ends as if it were done after it was interrupted was interrupted', () => {
    const talk = atWork().costs(0.01).interrupt().ends('end_turn');
    expect(talk.ended()).toMatchObject({ outcome: 'interrupted', error: null });
  });

  test('whose login is refused ends the process’s use too', () => {
    const talk = atWork().fails(`turn:${FIRST}`, { code: 401, message: 'No.' });
    expect(talk.ended()).toMatchObject({ outcome: 'failed', error: { code: 'auth_expired' } });
    expect(talk.items.some((item) => item.kind === 'fatal')).toBe(true);
  });

  test('leaves nothing open: its calls are over, and requests that wait are withdrawn', () => {
    const talk = atWork().asks(0, { toolCallId: 't', kind: 'execute' }, 'allow_once').ends();
    expect(talk.of('tool/ended')).toMatchObject([{ toolId: 't', outcome: 'unknown' }]);
    expect(talk.of('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    expect(talk.state()).toMatchObject({ turn: null, tools: {}, approvals: {}, ended: [] });
  });
});

describe('a process that ends in mid-turn', () => {
  test.each([
    ['by itself', { exitCode: 3, stderrTail: ['a', 'out of memory'] }, 'failed', 'out of memory'],
    ['without a word', { exitCode: 3 }, 'failed', 'It said nothing'],
    ['by a signal', { exitCode: null, signal: 'SIGKILL' as const }, 'killed', null],
    ['because we stopped it', { expected: true }, 'killed', null],
  ])('%s is told as it was', (_how, exit, outcome, words) => {
    const talk = atWork().exit(exit);
    expect(talk.ended()).toMatchObject({ outcome, usage: 'unsettled' });
    expect(talk.ended()?.error?.message ?? null).toEqual(words && expect.stringContaining(words));
    expect(talk.exit(exit).of('turn/ended')).toHaveLength(1);
  });

  test('once it was interrupted, is interrupted, and so is its call', () => {
    const talk = atWork().call('t', { kind: 'execute', status: 'in_progress' }).interrupt().exit();
    expect(talk.ended()?.outcome).toBe('interrupted');
    expect(talk.of('tool/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('before the instruction was taken ends no turn', () => {
    const talk = aTalk().answers('initialize', {}).instruct().exit({ exitCode: 1 });
    expect(talk.ended()).toBeUndefined();
    expect(entries(talk)).toEqual([]);
  });
});

describe('what a turn cost', () => {
  test('is what the running cost grew by, with the tokens that were told', () => {
    const talk = atWork().costs(0.02).costs(0.05).ends('end_turn', {
      inputTokens: 9,
      outputTokens: 4,
      cachedReadTokens: 2,
    });
    expect(talk.of('usage/recorded')[0]?.entries).toMatchObject([
      {
        microUsd: 50_000,
        inputTokens: 9,
        outputTokens: 4,
        cacheReadTokens: 2,
        cacheWriteTokens: 0,
      },
    ]);
    expect(talk.ended()?.usage).toBe('recorded');
    talk.instruct().costs(0.07).ends();
    expect(entries(talk)).toEqual([
      ['reported', 50_000],
      ['reported', 20_000],
    ]);
  });

  test('is estimated while it goes on', () => {
    const talk = atWork().costs(0.02).costs(0.05);
    const estimates = talk.items.flatMap((item) => (item.kind === 'estimate' ? [item] : []));
    expect(estimates.map(({ microUsd }) => microUsd)).toEqual([20_000, 50_000]);
  });

  test('is nothing where the total did not grow, and owed where none was told', () => {
    expect(atWork().costs(0).ends().ended()?.usage).toBe('none');
    expect(entries(atWork().ends())).toEqual([['unsettled', null]]);
    expect(entries(atWork().costs(0.5, 'EUR').ends())).toEqual([['unsettled', null]]);
  });

  test('is owed where it has no figure of its own, though the one before it had', () => {
    const talk = atWork().costs(1).ends().instruct().say('x').ends();
    expect(entries(talk)[1]).toEqual(['unsettled', null]);
  });

  test('is owed after an interrupt even where some was told', () => {
    expect(entries(atWork().costs(0.01).interrupt().ends('cancelled'))).toEqual([
      ['reported', 10_000],
      ['unsettled', null],
    ]);
  });

  test('is not owed after an interrupt that cut off nothing, where it was told', () => {
    const talk = atWork().costs(0.01).interrupt().ends('end_turn');
    expect(entries(talk)).toEqual([['reported', 10_000]]);
    expect(entries(atWork().interrupt().ends('end_turn'))).toEqual([['unsettled', null]]);
  });

  test('cannot be told of a conversation whose earlier cost nobody knows, and can from then on', () => {
    const talk = atWork({ launch: RESUMED }).costs(3).ends();
    expect(entries(talk)).toEqual([['unsettled', null]]);
    expect(talk.of('notice/raised')).toMatchObject([{ code: 'usage_refused' }]);
    talk.instruct().costs(3.25).ends();
    expect(entries(talk)[1]).toEqual(['reported', 250_000]);
  });

  test('goes on from what the last process recorded, with what it left untold', () => {
    const before = atWork().costs(1).ends().instruct().say('x').exit().state();
    const talk = atWork({ launch: RESUMED, before });
    expect(talk.state()).toMatchObject({ recordedMicroUsd: 1_000_000, unsettledTurns: 1 });
    talk.costs(1.5).ends();
    expect(entries(talk)).toEqual([['reported', 500_000]]);
    expect(talk.of('notice/raised')).toMatchObject([{ code: 'usage_settled' }]);
  });

  test('of an agent without figures is a line that says so, whatever it tells', () => {
    const talk = atWork({ engine: geminiAcp }).costs(2).ends();
    expect(entries(talk)).toEqual([['unmetered', null]]);
    expect(talk.ended()?.usage).toBe('unobservable');
  });
});
