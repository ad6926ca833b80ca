import { describe, expect, test } from 'vitest';
import {
  aConversation,
  anEngineLaunch,
  assistant,
  figures,
  permission,
  result,
  toolUse,
} from '../harness.ts';

const failing = (over: Record<string, unknown> = {}) =>
  result({}, { is_error: true, terminal_reason: 'api_error', ...over });
const failed = (error: string, status: number | null, words = 'API Error') =>
  assistant([{ type: 'text', text: words }], { error, api_error_status: status });
const endOf = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('turn/ended').at(-1);

describe('a result', () => {
  test('ends its turn well when it calls itself no error', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(1), { result: 'all done' }));
    expect(endOf(conversation)).toMatchObject({ outcome: 'ok', error: null, usage: 'recorded' });
  });

  test('that comes again under its name ends nothing more', () => {
    const conversation = aConversation().begin();
    const line = result(figures(1));
    conversation.line(line);
    expect(conversation.line(line)).toEqual([]);
  });

  test('outside of any turn is one of the engine’s own', () => {
    const conversation = aConversation();
    conversation.line(result(figures(1)));
    expect(conversation.of('turn/started')).toMatchObject([{ origin: 'engine' }]);
    expect(endOf(conversation)).toMatchObject({ outcome: 'ok' });
  });

  test('withdraws what was still asked', () => {
    const conversation = aConversation().begin();
    conversation.line(permission('r', 'Bash', { command: 'ls' }));
    conversation.line(result(figures(1)));
    const types = conversation.events().map(({ type }) => type);
    expect(types.indexOf('approval/resolved')).toBeLessThan(types.indexOf('turn/ended'));
  });

  test('has its figures recorded before its turn ends', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(1)));
    const types = conversation.events().map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['usage/recorded', 'turn/ended']);
  });

  test('without figures, of a turn that asked nothing of a model, says none', () => {
    const conversation = aConversation().begin();
    conversation.line(result({}));
    expect(endOf(conversation)).toMatchObject({ usage: 'none' });
    expect(conversation.of('notice/raised')).toEqual([]);
  });
});

describe('a failed result', () => {
  test('has the engine’s own errors in it', () => {
    const conversation = aConversation().begin();
    conversation.line(failing({ errors: ['one', 'two'] }));
    expect(endOf(conversation)).toMatchObject({
      outcome: 'failed',
      error: { code: 'unknown', message: expect.stringContaining('one two') },
    });
  });

  test('falls back to its words, then to its kind', () => {
    const conversation = aConversation().begin();
    conversation.line(failing({ result: 'in words' }));
    expect(endOf(conversation)?.error?.message).toContain('in words');
    conversation.line(assistant([{ type: 'text', text: 'x' }]));
    conversation.line(failing({ result: null, subtype: 'error_max_turns' }));
    expect(endOf(conversation)?.error?.message).toContain('error_max_turns');
  });

  test('without a status keeps the failure that was told in the turn', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('rate_limit', 429, 'slow down'));
    conversation.line(failing());
    expect(endOf(conversation)?.error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('slow down'),
    });
  });

  test('with a status is typed by what was told, before the status', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('billing_error', 400));
    conversation.line(failing({ api_error_status: 400 }));
    expect(endOf(conversation)?.error?.code).toBe('quota_exhausted');
  });

  test('with a status alone is typed by it', () => {
    const conversation = aConversation().begin();
    conversation.line(failing({ api_error_status: 529 }));
    expect(endOf(conversation)?.error?.code).toBe('overloaded');
  });

  test('does not colour the turn after it', () => {
    const conversation = aConversation().begin();
    conversation.line(failed('overloaded', 529));
    conversation.line(failing({ api_error_status: 529 }));
    conversation.line(assistant([{ type: 'text', text: 'again' }]));
    conversation.line(result(figures(1)));
    expect(endOf(conversation)).toMatchObject({ outcome: 'ok', error: null });
  });

  test('still has the cost of what was done before it failed', () => {
    const conversation = aConversation().begin();
    conversation.line(result(figures(1), { is_error: true, api_error_status: 529 }));
    expect(endOf(conversation)).toMatchObject({ outcome: 'failed', usage: 'recorded' });
  });
});

describe('a result at the engine’s own limit in dollars', () => {
  const capped = (modelUsage: unknown = figures(1)) =>
    result(modelUsage, {
      subtype: 'error_max_budget_usd',
      is_error: true,
      terminal_reason: 'budget_exhausted',
      errors: ['Reached maximum budget ($0.35)'],
    });

  test('that the session gave it ends the turn as the session would, with its figures, and is told before', () => {
    const conversation = aConversation(anEngineLaunch({ maxMicroUsd: 350_000 })).begin();
    conversation.line(toolUse('cut', 'Bash', { command: 'echo' }));
    const items = conversation.line(capped());
    expect(endOf(conversation)).toMatchObject({
      outcome: 'interrupted',
      error: null,
      usage: 'recorded',
    });
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'interrupted' }]);
    const kinds = items.map((item) => (item.kind === 'event' ? item.event.type : item.kind));
    expect(kinds.slice(-2)).toEqual(['capped', 'turn/ended']);
  });

  test('that nobody here gave it is a failure', () => {
    const conversation = aConversation().begin();
    conversation.line(capped());
    expect(endOf(conversation)).toMatchObject({
      outcome: 'failed',
      error: { code: 'quota_exhausted' },
    });
  });
});

describe('an interrupted result', () => {
  const aborted = (modelUsage: unknown = figures(1)) =>
    result(modelUsage, {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
    });

  test('is no failure', () => {
    const conversation = aConversation().begin();
    conversation.interrupt();
    conversation.line(aborted());
    expect(endOf(conversation)).toMatchObject({ outcome: 'interrupted', error: null });
  });

  test('is known by its reason even when nobody here asked for it', () => {
    const conversation = aConversation().begin();
    conversation.line(aborted());
    expect(endOf(conversation)?.outcome).toBe('interrupted');
  });

  test('is known by our asking where an older version gives no reason', () => {
    const conversation = aConversation().begin();
    conversation.interrupt();
    conversation.line(
      result(figures(1), {
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: null,
      }),
    );
    expect(endOf(conversation)?.outcome).toBe('interrupted');
  });

  test('without our asking and without its reason is a failure', () => {
    const conversation = aConversation().begin();
    conversation.line(
      result(figures(1), {
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: null,
      }),
    );
    expect(endOf(conversation)?.outcome).toBe('failed');
  });

  test('has the message that it cut off as unsettled, beside what was counted', () => {
    const conversation = aConversation().begin();
    conversation.line(assistant([{ type: 'text', text: 'counted' }]));
    conversation.line(assistant([{ type: 'text', text: 'cut off' }]));
    conversation.interrupt();
    conversation.line(aborted());
    const entries = conversation.of('usage/recorded').flatMap((event) => event.entries);
    expect(entries.map(({ provenance, inputTokens }) => [provenance, inputTokens])).toEqual([
      ['reported', 100],
      ['unsettled', 100],
    ]);
    expect(endOf(conversation)?.usage).toBe('unsettled');
  });

  test('ends every tool, those of subagents too', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('own', 'Read', {}));
    conversation.line({ ...toolUse('sub', 'Read', {}), parent_tool_use_id: 'agent' });
    conversation.interrupt();
    conversation.line(aborted());
    expect(conversation.of('tool/ended').map(({ toolId, outcome }) => [toolId, outcome])).toEqual([
      ['own', 'interrupted'],
      ['sub', 'interrupted'],
    ]);
  });
});
