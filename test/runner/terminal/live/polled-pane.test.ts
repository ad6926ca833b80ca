import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, PilothouseError } from '../../../../protocol/errors.ts';
import type { TerminalPane } from '../../../../protocol/terminal.ts';
import type { Connector } from '../../../../runner/terminal/connector.ts';
import { PolledPane } from '../../../../runner/terminal/live/polled-pane.ts';

const PANE: TerminalPane = {
  target: 'kitty:1:2',
  backend: 'kitty',
  session: null,
  title: '',
  program: 'sh',
  directory: '/',
  size: { columns: 80, rows: 24 },
  state: 'shell',
  agent: null,
  ours: false,
};

/** A terminal that can only be looked at. */
class Window {
  text = 'one\ntwo';
  size = PANE.size;
  failing: ErrorCode | null = null;
  broken: Error | null = null;
  hanging: Promise<void> | null = null;
  looks = 0;
  readonly heard: string[] = [];
  readonly pane = new PolledPane(
    {
      find: async () => {
        this.looks += 1;
        await this.hanging;
        if (this.broken) throw this.broken;
        if (this.failing) throw new PilothouseError(this.failing);
        return { ...PANE, size: this.size };
      },
      capture: async () => ({ text: this.text, omitted: 0 }),
    } as unknown as Connector,
    PANE,
  );

  constructor() {
    this.pane.show({
      output: (data) => this.heard.push(data.toString()),
      answers: () => false,
      resync: () => this.heard.push('resync'),
      ended: (code) => this.heard.push(code),
    });
  }

  screen(): Promise<string> {
    return new Promise((resolve) => this.pane.readScreen((data) => resolve(data)));
  }
}

let window: Window;
beforeEach(() => {
  vi.useFakeTimers();
  window = new Window();
});
afterEach(() => {
  window.pane.close();
  vi.useRealTimers();
});
const second = () => vi.advanceTimersByTimeAsync(1_000);

describe('a terminal that is looked at', () => {
  it('is shown as it is to whoever comes, with lines that begin at their beginning', async () => {
    expect(await window.screen()).toBe('one\r\ntwo');
  });

  it('is drawn anew once a second where it changed, and not where it did not', async () => {
    await window.screen();
    window.heard.length = 0;
    await second();
    expect(window.heard).toEqual([]);
    window.text = 'three';
    await second();
    expect(window.heard).toEqual(['\x1b[H\x1b[2Jthree']);
  });

  it('is shown whole again in another size', async () => {
    await window.screen();
    window.size = { columns: 40, rows: 10 };
    await second();
    expect(window.heard).toContain('resync');
    expect(window.pane.size).toEqual({ columns: 40, rows: 10 });
  });

  it('is over when it is gone, and waited for when it only did not answer', async () => {
    window.failing = 'terminal_failed';
    await second();
    expect(window.heard).toEqual([]);
    window.failing = 'terminal_gone';
    await second();
    expect(window.heard).toEqual(['terminal_gone']);
  });

  it('is asked once at a time, however long it takes to answer', async () => {
    const held = Promise.withResolvers<void>();
    window.hanging = held.promise;
    for (let seconds = 0; seconds < 5; seconds += 1) await second();
    expect(window.looks).toBe(1);
    window.hanging = null;
    held.resolve();
    await second();
    expect(window.looks).toBe(2);
    expect(await window.screen()).toBe('one\r\ntwo');
  });

  it('is looked at again after a fault of any kind', async () => {
    window.broken = new TypeError('no such thing');
    await second();
    window.broken = null;
    await second();
    expect(window.heard).toEqual(['\x1b[H\x1b[2Jone\r\ntwo']);
  });

  it('takes no key, because nothing would show that it arrived', () => {
    expect(window.pane.write(new Uint8Array(3))).toBe(3);
  });

  it('is not looked at after it was closed', async () => {
    window.pane.close();
    await second();
    expect(window.looks).toBe(0);
  });
});
