import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneState } from '../../../../protocol/terminal.ts';
import { ITerm2 } from '../../../../runner/terminal/iterm2.ts';
import {
  errorOf,
  ITERM2_SCRIPT,
  parseSessions,
} from '../../../../runner/terminal/iterm2/script.ts';

let directory: string;
let state: PaneState;
let iterm: ITerm2;
const ID = 'F1A2-33';
const target = `iterm2:${ID}`;
const row = (id: string, name = 'zsh') =>
  `${id}\u001f/dev/ttys001\u001f120\u001f40\u001f${name}\u001e`;

/** An `osascript` that records what it was given, byte by byte, and answers what it is told to. */
function fake(answers: Record<string, string>, problem: string | null = null): void {
  const cases = Object.entries(answers).map(([verb, text], index) => {
    writeFileSync(join(directory, `answer-${index}`), text);
    return `${verb}) cat '${join(directory, `answer-${index}`)}';;`;
  });
  writeFileSync(join(directory, 'problem'), problem ?? '');
  writeFileSync(
    join(directory, 'osascript'),
    `#!/bin/sh
n=$(ls '${directory}' | grep -c '^argv-')
printf '%s\\0' "$@" >'${directory}'/argv-$n
cat >'${directory}'/script-$n
if [ -s '${directory}/problem' ]; then cat '${directory}/problem' >&2; exit 1; fi
case "$2" in ${cases.join(' ')} esac
`,
  );
  chmodSync(join(directory, 'osascript'), 0o755);
}
const argvOf = (call: number) =>
  readFileSync(join(directory, `argv-${call}`), 'utf8')
    .split('\0')
    .slice(0, -1);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-iterm-'));
  state = 'program';
  const PATH = `${directory}:${process.env['PATH'] ?? ''}`;
  iterm = new ITerm2({ env: { PATH }, stateOf: () => state });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('iTerm2', () => {
  it('is told one constant script, with others’ words as arguments', async () => {
    fake({ list: row(ID), write: 'written', read: 'a\nb\n', close: 'closed' });
    const text = '" & (do shell script "touch x") & "\\ \u201cé✓';
    const sent = await iterm.sendText({ target, text, enter: true });
    expect(sent).toMatchObject({ receipt: 'not_confirmed', bytes: Buffer.byteLength(text) + 1 });
    await iterm.close(target);
    expect([0, 1, 2].map(argvOf)).toEqual([
      ['-', 'list'],
      ['-', 'write', ID, `${text}\r`],
      ['-', 'close', ID],
    ]);
    for (const call of [0, 1, 2])
      expect(readFileSync(join(directory, `script-${call}`), 'utf8')).toBe(ITERM2_SCRIPT);
  });

  it('hands any text over as it is', async () => {
    fake({ list: row(ID), write: 'written' });
    let calls = 0;
    const word = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !/\p{Cc}/u.test(text));
    await fc.assert(
      fc.asyncProperty(word, async (text) => {
        await iterm.sendText({ target, text, enter: false });
        expect(argvOf(calls + 1)).toEqual(['-', 'write', ID, text]);
        calls += 2;
      }),
      { numRuns: 12 },
    );
  });

  it('lists sessions and shows their ends', async () => {
    fake({
      list: row(ID, 'a "title"') + row('bad id') + row('B-2'),
      read: `${'x\n'.repeat(60)}last\n\n`,
    });
    expect(await iterm.list()).toMatchObject([
      { target, title: 'a "title"', size: { columns: 120, rows: 40 } },
      { target: 'iterm2:B-2' },
    ]);
    const { text } = await iterm.capture({ target, history: 0, search: null });
    expect(text.split('\n')).toHaveLength(40);
    expect(await iterm.capture({ target, history: 100, search: 'last' })).toEqual({
      text: '61: last',
      omitted: 0,
    });
  });

  it('sends nothing to a shell, whose line cannot be told, nor several lines', async () => {
    fake({ list: row(ID), write: 'written' });
    state = 'shell';
    await expect(iterm.sendText({ target, text: 'ls', enter: false })).rejects.toMatchObject({
      code: 'terminal_unclear',
    });
    await expect(iterm.sendKeys({ target, keys: ['Enter'] })).rejects.toMatchObject({
      code: 'terminal_unclear',
    });
    await expect(iterm.sendText({ target, text: 'a\nb', enter: false })).rejects.toMatchObject({
      code: 'terminal_multiline',
    });
    await expect(
      iterm.run({ target, command: 'ls', where: 'window', timeoutMs: 1_000 }),
    ).rejects.toMatchObject({ code: 'terminal_unsupported' });
    state = 'program';
    await iterm.sendKeys({ target, keys: ['C-c', 'Up'] });
    expect(argvOf(3)).toEqual(['-', 'write', ID, '\x03\x1b[A']);
  });

  it('tells a session that is gone as gone, by the list and by AppleScript', async () => {
    fake({ list: row('OTHER') });
    await expect(iterm.find(target)).rejects.toMatchObject({ code: 'terminal_gone' });
    fake({}, '12:34: execution error: no such session (-1728)\n');
    await expect(iterm.close(target)).rejects.toMatchObject({ code: 'terminal_gone' });
  });

  it('says that it was not verified, and what is in the way', async () => {
    fake({ version: '3.5.1\n' });
    expect(await iterm.capabilities()).toMatchObject({
      available: true,
      version: '3.5.1',
      note: expect.stringContaining('not verified on a Mac'),
    });
    const elsewhere = new ITerm2({ env: { PATH: '/nowhere' } });
    expect(await elsewhere.capabilities()).toMatchObject({
      available: false,
      tools: [],
      note: expect.stringContaining('macOS alone'),
    });
  });
});

describe('what osascript says', () => {
  it.each([
    ['x (-1728)', 'terminal_gone'],
    ['x (-600)', 'terminal_unavailable'],
    ['x (-1743)', 'terminal_unavailable'],
    ['x (-1700)', 'terminal_failed'],
    ['a title that says (-1728) in it', 'terminal_failed'],
  ])('%s is %s', (problem, code) => {
    expect(errorOf(problem).code).toBe(code);
  });

  it('is never taken for more sessions than there are', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const plain = name.replaceAll('\u001e', '');
        expect(parseSessions(row(ID, plain)).map(({ id }) => id)).toEqual([ID]);
      }),
    );
  });
});
