import { createHash, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../protocol/errors.ts';
import { type WatchedTerminal, watchTerminal } from '../../../../runner/terminal/watch.ts';
import { OPEN, TerminalHouse } from '../../../support/terminal-house.ts';
import { ShownScreen } from '../../../support/shown-screen.ts';
import { until } from '../../../support/until.ts';

let house: TerminalHouse;
beforeAll(() => (house = new TerminalHouse()));
afterAll(() => house.close());

/** One who looks on: what was heard, drawn as a window draws it. */
class Watcher {
  readonly chunks: Buffer[] = [];
  readonly ended: ErrorCode[] = [];
  resyncs = 0;
  readonly screen = new ShownScreen({ columns: 120, rows: 40 }, () => undefined);
  readonly shown: WatchedTerminal;

  private constructor(shown: WatchedTerminal) {
    this.shown = shown;
    shown.show({
      output: (data) => {
        this.chunks.push(Buffer.from(data));
        this.screen.write(Buffer.from(data));
      },
      answers: () => false,
      resync: () => {
        this.resyncs += 1;
        void this.begin();
      },
      ended: (code) => this.ended.push(code),
    });
  }

  static async at(target: string, drive = false): Promise<Watcher> {
    const limits = () => house.limits;
    const watcher = new Watcher(await watchTerminal(target, drive, limits, house.terminals));
    await watcher.begin();
    return watcher;
  }

  begin(): Promise<void> {
    return new Promise((resolve) => {
      this.shown.readScreen((data, size) => {
        this.chunks.length = 0;
        this.screen.begin(data, size);
        resolve();
      });
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  sees(words: string | RegExp): Promise<unknown> {
    const is = () => {
      const text = this.screen.readAll();
      return typeof words === 'string' ? text.includes(words) : words.test(text);
    };
    return until(`the window to show ${words}`, is, { tell: () => this.screen.readAll() });
  }
}

const file = (name: string, content: string | Buffer): string => {
  const path = join(house.directory, name);
  writeFileSync(path, content);
  return path;
};

describe('a pane that is watched', () => {
  it('gives every byte that its program wrote, cut in the middle of characters or not', async () => {
    // No newline in it: a terminal writes a carriage return of its own before one.
    const words = 'größe 漢字 🙂 '.repeat(20_000).replaceAll('\n', ' ');
    const noise = [...randomBytes(60_000)].map((byte) => (byte % 94) + 33);
    const content = Buffer.concat([Buffer.from(words), Buffer.from(noise), Buffer.from(words)]);
    const whole = file('whole', content);
    const go = join(house.directory, 'go');
    const script = `while [ ! -e ${go} ]; do sleep 0.05; done; cat ${whole}; sleep 60`;
    const { pane } = await house.session('bytes', ['sh', '-c', script]);
    const watcher = await Watcher.at(pane);
    writeFileSync(go, '');
    await until('all of it', () => watcher.bytes.byteLength >= content.byteLength, {
      withinMs: 20_000,
      tell: () => `${watcher.bytes.byteLength} of ${content.byteLength}`,
    });
    const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(sha(watcher.bytes)).toBe(sha(content));
    watcher.shown.close();
  });

  it('begins for each who comes at an exact place: no line twice, none left out', async () => {
    const script = 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo "line $i"; done; sleep 60';
    const { pane } = await house.session('count', ['sh', '-c', `sleep 0.3; ${script}`]);
    const watcher = await Watcher.at(pane);
    for (let turn = 0; turn < 6; turn++) await watcher.begin();
    await watcher.sees('line 3000');
    const lines = watcher.screen.readAll().match(/line \d+/g) ?? [];
    const numbers = lines.map((line) => Number(line.slice(5)));
    const first = numbers[0] ?? 0;
    expect(numbers.length).toBeGreaterThan(500);
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
    watcher.shown.close();
  });

  it('shows a full-screen program over what stands behind it, colours and cursor included', async () => {
    const { pane } = await house.shell('full');
    house.type(
      pane,
      "printf 'behind\\n\\033[?1049h\\033[2J\\033[5;10H\\033[31mred\\033[0m'; read x; printf '\\033[?1049l'",
      'Enter',
    );
    await house.shows(pane, /red/);
    const watcher = await Watcher.at(pane, true);
    await watcher.sees(/^ {9}red/m);
    expect(watcher.screen.readAll()).not.toContain('behind');
    expect(watcher.shown.write(Buffer.from('\r'))).toBe(0);
    await watcher.sees('behind');
    watcher.shown.close();
  });

  it('leaves out what cannot be taken, says so, and never holds its program up', async () => {
    const begin = join(house.directory, 'begin');
    const done = join(house.directory, 'flooded');
    const { pane } = await house.session('flood', [
      'sh',
      '-c',
      `until [ -e ${begin} ]; do sleep 0.05; done; yes floods | head -c 8000000; echo over; touch ${done}; sleep 60`,
    ]);
    const watcher = await Watcher.at(pane);
    watcher.shown.hold(true);
    writeFileSync(begin, '');
    await until('the program to be done', () => existsSync(done), { withinMs: 20_000 });
    expect(watcher.resyncs).toBe(0);
    watcher.shown.hold(false);
    await watcher.sees('over');
    expect(watcher.resyncs).toBeGreaterThan(0);
    // How much was on its way before the hold is the machine’s affair; the rest is left out.
    expect(watcher.bytes.byteLength).toBeLessThan(6_000_000);
    watcher.shown.close();
  });

  it('takes the size that the person gives it, and gives it none', async () => {
    const { pane, name } = await house.session('sized', ['sh', '-c', 'sleep 60']);
    const watcher = await Watcher.at(pane);
    watcher.shown.resize({ columns: 20, rows: 5 });
    expect(
      house.tmux('own', 'display-message', '-p', '-t', `=${name}:`, '#{pane_width}').trim(),
    ).toBe('120');
    house.tmux('own', 'resize-window', '-t', `=${name}:`, '-x', '90', '-y', '20');
    await until('the new size', () => watcher.shown.size.columns === 90);
    await until('the screen anew', () => watcher.resyncs > 0);
    watcher.shown.close();
  });

  it('tells that its pane is gone, and goes on in another session that it was moved to', async () => {
    const { pane } = await house.session('moves', [
      'sh',
      '-c',
      'while :; do date +%N; sleep 0.1; done',
    ]);
    const watcher = await Watcher.at(pane);
    house.tmux('own', 'new-session', '-d', '-s', 'other', '-x', '100', '-y', '30', 'sleep 60');
    const id = pane.split(':').at(-1) ?? '';
    house.tmux('own', 'join-pane', '-d', '-s', id, '-t', '=other:');
    await until('the move', () => watcher.resyncs > 0);
    await until('output from there', () => watcher.bytes.byteLength > 0);
    house.tmux('own', 'kill-pane', '-t', id);
    await until('the end', () => watcher.ended.length > 0);
    expect(watcher.ended).toEqual(['terminal_gone']);
    watcher.shown.close();
  });

  it('is shown again, with a mark, when its client of tmux was killed', async () => {
    const { pane, name } = await house.shell('killed');
    const watcher = await Watcher.at(pane, true);
    const clients = house.tmux('own', 'list-clients', '-t', `=${name}`, '-F', '#{client_pid}');
    for (const pid of clients.trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
    await until('the mark', () => watcher.resyncs > 0);
    watcher.shown.write(Buffer.from('echo again$((1+1))\r'));
    await watcher.sees('again2');
    expect(watcher.ended).toEqual([]);
    watcher.shown.close();
  });
});

describe('keys of a person', () => {
  it('reach the program as they are, and are refused while somebody scrolls there', async () => {
    const { pane } = await house.shell('typed');
    const watcher = await Watcher.at(pane, true);
    expect(watcher.shown.write(Buffer.from('echo "größe 漢"\r'))).toBe(0);
    await watcher.sees(/^größe 漢/m);
    const id = pane.split(':').at(-1) ?? '';
    house.tmux('own', 'copy-mode', '-t', id);
    await until('the mode to be known', () => watcher.shown.write(Buffer.from('z')) === 1);
    house.tmux('own', 'send-keys', '-t', id, '-X', 'cancel');
    await until('its end to be known', () => watcher.shown.write(Buffer.from(' ')) === 0);
    watcher.shown.close();
  });

  it('are refused whole where they are more than is kept', async () => {
    const { pane } = await house.session('deaf', ['sh', '-c', 'sleep 60']);
    const watcher = await Watcher.at(pane, true);
    const paste = Buffer.alloc(10 * 1024 * 1024, 'x');
    expect(watcher.shown.write(paste)).toBe(paste.byteLength);
    watcher.shown.close();
  });

  it('are refused from the moment in which the limits say so', async () => {
    const { pane } = await house.session('limited', ['sh', '-c', 'sleep 60']);
    const watcher = await Watcher.at(pane, true);
    house.limits = { ...OPEN, drive: false };
    expect(watcher.shown.write(Buffer.from('x'))).toBe(1);
    expect(watcher.shown.forbidden()).toBeNull();
    house.limits = { ...OPEN, watch: false };
    expect(watcher.shown.forbidden()).toBe('terminal_watch_not_allowed');
    house.limits = OPEN;
    watcher.shown.close();
  });
});

describe('limits', () => {
  it('keep what they close from being watched, driven or listed', async () => {
    const { pane } = await house.session('closed', ['sh', '-c', 'sleep 60']);
    const refusal = (limits: Partial<typeof OPEN>, drive = false) =>
      watchTerminal(pane, drive, () => ({ ...OPEN, ...limits }), house.terminals).then(
        (shown) => shown.close(),
        (error: { code?: string }) => error.code,
      );
    expect(await refusal({ backends: [] })).toBe('terminal_not_allowed');
    expect(await refusal({ watch: false })).toBe('terminal_watch_not_allowed');
    expect(await refusal({ drive: false })).toBeUndefined();
    expect(await refusal({ drive: false }, true)).toBe('terminal_drive_not_allowed');
  });

  it('hold for the name that a session of the person has now', async () => {
    house.tmux(
      'default',
      'new-session',
      '-d',
      '-s',
      'agent-one',
      '-x',
      '80',
      '-y',
      '24',
      'sleep 60',
    );
    const prefixes = ['agent-'];
    house.limits = { ...OPEN, prefixes };
    const { panes } = await house.do('terminal_list', { backend: 'tmux' });
    const target = panes.find(({ session }) => session === 'agent-one')?.target ?? '';
    const watcher = await Watcher.at(target);
    expect(watcher.shown.forbidden()).toBeNull();
    house.tmux('default', 'rename-session', '-t', '=agent-one', 'private');
    await until('the name to be known', () => watcher.shown.forbidden() === 'terminal_not_allowed');
    watcher.shown.close();
    house.limits = OPEN;
  });
});
