import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellCommandOf } from '../../../../runner/engines/claude/summary.ts';
import { summarise } from '../../../../runner/engines/summary.ts';

describe('the one line of a tool call', () => {
  test.each([
    ['Bash', { command: 'npm test', description: 'Run the tests' }, 'npm test'],
    ['Read', { file_path: '/r/a.ts', limit: 5 }, '/r/a.ts'],
    ['NotebookEdit', { notebook_path: '/r/a.ipynb' }, '/r/a.ipynb'],
    ['Glob', { pattern: '**/*.ts', path: '/r' }, '/r'],
    ['Grep', { pattern: 'tide' }, 'tide'],
    ['WebSearch', { query: 'tides' }, 'tides'],
    ['WebFetch', { url: 'https://example.com', prompt: 'read' }, 'https://example.com'],
    ['Task', { description: 'Look around', prompt: 'Look at all' }, 'Look around'],
    ['ExitPlanMode', { plan: '# Plan\n\n1. do' }, '# Plan 1. do'],
    ['mcp__x__y', { a: 1, b: [2] }, '{"a":1,"b":[2]}'],
    ['Nothing', {}, 'Nothing'],
    ['Nothing', null, 'Nothing'],
    ['Nothing', 'text', 'Nothing'],
    ['Bash', { command: '   ', description: 'Blank' }, 'Blank'],
    ['Bash', { command: 7, description: 'Odd' }, 'Odd'],
    ['AskUserQuestion', { questions: [{ question: 'Which?' }] }, 'Which?'],
    ['AskUserQuestion', { questions: [] }, 'AskUserQuestion'],
    ['AskUserQuestion', { questions: [{ question: 3 }] }, 'AskUserQuestion'],
    ['AskUserQuestion', { questions: [null] }, 'AskUserQuestion'],
    ['AskUserQuestion', {}, 'AskUserQuestion'],
  ])('%s %j is %s', (name, input, line) => {
    expect(summarise(name, input)).toBe(line);
  });

  test('is one line of bounded length, whatever the input', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything({ withBigInt: false }), (name, input) => {
        fc.pre(!/\s/.test(name) && name.length < 100);
        const line = summarise(name, JSON.parse(JSON.stringify(input ?? null) ?? 'null'));
        expect(line.length).toBeLessThanOrEqual(200);
        expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });
});

describe('the shell command of a tool call', () => {
  test.each([
    ['Bash', { command: 'ls' }, 'ls'],
    ['Monitor', { command: 'tail -f log' }, 'tail -f log'],
    ['Bash', { command: 5 }, null],
    ['Bash', {}, null],
    ['Bash', null, null],
    ['Bash', 'ls', null],
    ['Read', { command: 'git push' }, null],
    ['bash', { command: 'git push' }, null],
  ])('of %s %j is %s', (name, input, command) => {
    expect(shellCommandOf(name, input)).toBe(command);
  });
});
