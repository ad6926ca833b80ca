import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { describeRequest } from '../../../runner/cli/approval-input.ts';

/** A request with an input as an engine writes it, or with the text of one. */
const requestOf = (input: unknown): ApprovalRequest =>
  ({
    input: { text: typeof input === 'string' ? input : JSON.stringify(input), cut: false },
  }) as unknown as ApprovalRequest;
const paint = (style: string, text: string) => `<${style}>${text}</>`;
const show = (input: unknown, line = '') => describeRequest(requestOf(input), line, paint);

describe('what a request would do', () => {
  it.each([
    [{ plan: 'First this.\nThen that.' }, 'First this.\nThen that.'],
    [{ command: 'npm test\n' }, 'npm test'],
    [{ push: 'two commits to main' }, 'two commits to main'],
  ])('is the whole of %j', (input, text) => {
    expect(show(input)).toBe(text);
  });

  it('is not said twice where its line has all of it', () => {
    expect(show({ command: 'npm test' }, 'npm test')).toBeNull();
    expect(show({ command: 'npm test\nrm -r x' }, 'npm test')).toBe('npm test\nrm -r x');
  });

  it.each([[{ url: 'https://example.com' }], [[]], [null], [7]])(
    'is nothing more than its line for %j',
    (input) => {
      expect(show(input)).toBeNull();
    },
  );

  it('begins as it is where it was cut on its way', () => {
    const text = show(`{"command":"${'x'.repeat(5_000)}`);
    expect(text).toMatch(/^\{"command":"x+…$/);
    expect(text).toHaveLength(2_001);
  });

  it('never lets an escape reach the terminal, whole or cut', () => {
    const escape = '\u001b[2J';
    for (const input of [
      { command: `a${escape}` },
      `{"command":"a${escape}`,
      { file_path: `/a${escape}`, content: `b${escape}` },
      { file_path: '/a', old_string: escape, new_string: escape },
    ])
      expect(show(input)).not.toContain('\u001b');
  });
});

describe('a change of a file', () => {
  it('shows what goes and what comes, a line each', () => {
    expect(show({ file_path: '/a.ts', old_string: 'one\ntwo\n', new_string: 'three' })).toBe(
      '/a.ts\n<red>- one</>\n<red>- two</>\n<green>+ three</>',
    );
  });

  it('shows every edit of several, in their order', () => {
    const edits = [
      { old_string: 'a', new_string: '' },
      { old_string: 'b', new_string: 'c' },
    ];
    expect(show({ file_path: '/a.ts', edits })).toBe(
      '/a.ts\n<red>- a</>\n<red>- b</>\n<green>+ c</>',
    );
  });

  it('of a new file shows all of it, an empty line too', () => {
    expect(show({ file_path: '/a.ts', content: 'one\n\ntwo\n' })).toBe(
      '/a.ts\n<green>+ one</>\n<green>+ </>\n<green>+ two</>',
    );
  });

  it('that is long says how much is left out', () => {
    const content = Array.from({ length: 75 }, (_, index) => `line ${index}`).join('\n');
    const lines = show({ file_path: '/a.ts', content })?.split('\n') ?? [];
    expect(lines).toHaveLength(62);
    expect(lines.at(-2)).toBe('<green>+ line 59</>');
    expect(lines.at(-1)).toContain('15 more lines');
  });

  it('cuts a line that is too long to be read', () => {
    const [, line] = show({ file_path: '/a.ts', content: 'x'.repeat(500) })?.split('\n') ?? [];
    expect(line).toBe(`<green>+ ${'x'.repeat(200)}…</>`);
  });
});
