import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  askKitty,
  encodeCommand,
  parseAnswer,
  socketProblem,
} from '../../../../runner/terminal/kitty/remote.ts';
import { parseCursorLine, parseWindows } from '../../../../runner/terminal/kitty/windows.ts';

const frame = (answer: unknown) => `\x1bP@kitty-cmd${JSON.stringify(answer)}\x1b\\`;

describe('kitty’s remote control', () => {
  it('holds any text in a command, which none of it can end', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const command = encodeCommand('send-text', { data: text }, true);
        expect(command.indexOf('\x1b\\')).toBe(command.length - 2);
        const json = command.slice('\x1bP@kitty-cmd'.length, -2);
        expect(JSON.parse(json)).toMatchObject({ no_response: true, payload: { data: text } });
      }),
    );
  });

  it('is read once it is whole, and not believed in another form', () => {
    const whole = frame({ ok: true, data: 'x' });
    for (let at = 0; at < whole.length; at++) expect(parseAnswer(whole.slice(0, at))).toBeNull();
    expect(parseAnswer(whole)).toEqual({ ok: true, data: 'x' });
    expect(() => parseAnswer(frame(['ok']))).toThrow(/another form/);
    expect(() => parseAnswer('\x1bP@kitty-cmd{nonsense\x1b\\')).toThrow(/another form/);
  });
});

describe('a socket in the place of kitty', () => {
  let directory: string;
  let server: Server;
  const socket = () => join(directory, 'sock');
  const answerWith = (chunks: string[]) =>
    new Promise<void>((resolve) => {
      server = createServer((connection) => {
        connection.once('data', () => {
          for (const chunk of chunks) connection.write(chunk);
          if (chunks.length === 0) connection.destroy();
        });
      }).listen(socket(), resolve);
    });
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'pilothouse-remote-'))));
  afterEach(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is read however its answer is cut', async () => {
    await answerWith(Array.from(frame({ ok: true, data: '[]' })));
    expect(await askKitty(socket(), 'ls', {})).toBe('[]');
  });

  it('that refuses is told in kitty’s own words', async () => {
    await answerWith([frame({ ok: false, error: 'No matching windows' })]);
    await expect(askKitty(socket(), 'ls', {})).rejects.toThrow(/No matching windows/);
  });

  it('that closes without a word did nothing', async () => {
    await answerWith([]);
    await expect(askKitty(socket(), 'ls', {})).rejects.toMatchObject({ code: 'terminal_failed' });
  });
});

describe('what kitty lists', () => {
  it('is read without what it should not tell', () => {
    const window = {
      id: 3,
      pid: 12,
      title: 't',
      cwd: '/x',
      columns: 80,
      lines: 24,
      env: { KEY: 'v' },
    };
    const [found] = parseWindows(JSON.stringify([{ tabs: [{ windows: [window] }] }]));
    expect(found).toMatchObject({ id: 3, pid: 12, title: 't' });
    expect(found).not.toHaveProperty('env');
    expect(() => parseWindows('{}')).toThrow(/another form/);
    expect(() => parseWindows('nonsense')).toThrow(/another form/);
  });

  it('says where the cursor is, at the end of a screen', () => {
    const screen = '$ one\n$ two\n\n\x1b[?25h\x1b[2;6H\x1b[5 q';
    expect(parseCursorLine(screen)).toEqual({ before: '$ two', after: '' });
    expect(parseCursorLine('$ one\n')).toBeNull();
    expect(parseCursorLine('$ \x1b[1;3H')).toEqual({ before: '$ ', after: '' });
    expect(parseCursorLine('x\x1b[9;1H')).toEqual({ before: '', after: '' });
  });
});

describe('a socket that is trusted', () => {
  it.each([
    [null, /No socket/],
    ['/nowhere/at/all', /Nothing is at/],
    ['/dev/null', /is not a socket/],
  ])('is not %s', (path, problem) => {
    expect(socketProblem(path)).toMatch(problem);
  });
});
