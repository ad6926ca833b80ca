import { describe, expect, test } from 'vitest';
import { EVENT_TEXT_MAX_BYTES } from '../../../../protocol/text.ts';
import { aProcess } from './harness.ts';

const push = (change: Record<string, unknown>) => {
  const process = aProcess().begin().tool('t', 'git push').toolResult('t', change);
  return { tool: process.of('tool/ended')[0], act: process.of('act/ended')[0], process };
};

describe('a shell command', () => {
  test('without output has succeeded, and so has its push', () => {
    const { tool, act, process } = push({});
    expect(tool).toMatchObject({ outcome: 'ok', exitCode: 0, durationMs: 1000 });
    expect(process.of('act/seen')[0]?.act).toMatchObject({ kind: 'push', witness: 'stream' });
    expect(act?.outcome).toBe('done');
  });

  test('with output says nothing of its status, and neither do we, though the line says success', () => {
    const { tool, act } = push({ output: 'To origin\n ! [rejected]' });
    expect(tool).toMatchObject({ outcome: 'unknown', exitCode: null });
    expect(act?.outcome).toBe('unknown');
  });

  test.each([
    ['Command exited with code: 128', 'failed', 128, 'not_done'],
    ['Command terminated by signal: 9', 'failed', null, 'unknown'],
    ['Command cancelled by user.', 'interrupted', null, 'unknown'],
    ['Command moved to background (PID: 7). Output hidden.', 'unknown', null, 'unknown'],
  ])('of which the engine says “%s” is %s', (output, outcome, exitCode, acts) => {
    const { tool, act } = push({ output });
    expect(tool).toMatchObject({ outcome, exitCode });
    expect(act?.outcome).toBe(acts);
  });

  test.each([
    ['tool_not_registered', 'failed', 'not_done'],
    ['invalid_tool_params', 'failed', 'not_done'],
    ['policy_violation', 'denied', 'not_done'],
    ['shell_execute_error', 'failed', 'unknown'],
  ])('with the error %s is %s, and its push %s', (type, outcome, acts) => {
    const { tool, act } = push({ status: 'error', error: { type, message: 'No.' } });
    expect(tool).toMatchObject({ outcome, output: { text: 'No.' } });
    expect(act?.outcome).toBe(acts);
  });
});

describe('tool calls', () => {
  test('that edit end as the line says', () => {
    const process = aProcess().begin().tool('e', '', 'write_file').toolResult('e');
    expect(process.of('tool/ended')[0]).toMatchObject({ outcome: 'ok', exitCode: null });
  });

  test('keep head and tail of a long output, and hand the whole to the machine', () => {
    const output = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n');
    const { tool, process } = push({ output });
    expect(tool?.output.text.length).toBeLessThanOrEqual(EVENT_TEXT_MAX_BYTES + 16);
    expect(process.items.find(({ kind }) => kind === 'output')).toMatchObject({ text: output });
  });

  test('separate the texts before and after them', () => {
    const process = aProcess().begin().say('One ').say('two.').tool('t', 'ls').say('Three.').exit();
    expect(process.of('text/completed').map(({ text }) => text.text)).toEqual([
      'One two.',
      'Three.',
    ]);
    const offsets = process.items.flatMap((item) =>
      item.kind === 'delta' ? [[item.delta.blockId, item.delta.offset]] : [],
    );
    expect(offsets).toEqual([
      ['lau_test/0', 0],
      ['lau_test/0', 4],
      ['lau_test/1', 0],
    ]);
  });
});

test('a text without end is told in parts at a line’s end, and none of it is lost', () => {
  const lines = Array.from({ length: 4_000 }, (_, index) => `This is line ${index}.\n`);
  const process = aProcess().begin();
  for (const line of lines) process.say(line);
  process.result().exit();
  const parts = process.of('text/completed').map(({ text }) => text);
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.every(({ text, truncated }) => text.endsWith('\n') && truncated === null)).toBe(
    true,
  );
  expect(parts.map(({ text }) => text).join('')).toBe(lines.join(''));
});

describe('lines that are not as expected', () => {
  test('garbage is told three times, then counted', () => {
    const process = aProcess().begin();
    for (let index = 0; index < 9; index++) process.raw('Warning: no colours');
    process.exit();
    expect(process.of('notice/raised').map(({ code }) => code)).toEqual([
      'line_unreadable',
      'line_unreadable',
      'line_unreadable',
      'lines_unreadable',
    ]);
  });

  test('the engine’s own warnings are passed on', () => {
    const process = aProcess().begin();
    process.line({ type: 'error', severity: 'warning', message: 'Loop detected' });
    expect(process.of('notice/raised')).toMatchObject([
      { level: 'warning', code: 'engine_error', message: 'Loop detected' },
    ]);
  });
});
