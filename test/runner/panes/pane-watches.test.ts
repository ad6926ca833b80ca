import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, PilothouseError } from '../../../protocol/errors.ts';
import {
  type OpenPane,
  PaneWatches,
  type PaneWatchesOptions,
} from '../../../runner/panes/pane-watches.ts';

const TARGET = 'tmux:own:1.2:%3';
const TIMINGS = { lingerMs: 1_000, checkMs: 100 };
type Ends = Parameters<PaneWatchesOptions['link']>[0];

/** What a runner holds for its watches, counted. */
class Ground {
  readonly opened: { target: string; drive: boolean; closed: boolean }[] = [];
  readonly links: { ends: Ends; closed: boolean; over: boolean; told: ErrorCode[] }[] = [];
  forbidden: ErrorCode | null = null;
  refusal: ErrorCode | null = null;
  /** Opening waits for this. */
  gate: Promise<void> = Promise.resolve();
  readonly watches = new PaneWatches({
    timings: TIMINGS,
    list: async () => ({ panes: [], watch: true, drive: true }),
    open: async (target, drive) => {
      await this.gate;
      if (this.refusal) throw new PilothouseError(this.refusal);
      return this.#pane(target, drive);
    },
    link: (ends) => {
      const link = { ends, closed: false, over: false, told: [] as ErrorCode[] };
      this.links.push(link);
      return {
        get over() {
          return link.over;
        },
        close: () => void (link.closed = true),
        ended: (code) => void link.told.push(code),
      };
    },
  });

  #pane(target: string, drive: boolean): OpenPane {
    const entry = { target, drive, closed: false };
    this.opened.push(entry);
    return {
      size: { columns: 80, rows: 24 },
      show: () => undefined,
      readScreen: (then) => then('', { columns: 80, rows: 24 }),
      hold: () => undefined,
      write: () => 0,
      resize: () => undefined,
      forbidden: () => this.forbidden,
      close: () => void (entry.closed = true),
    };
  }

  get open(): number {
    return this.opened.filter(({ closed }) => !closed).length;
  }
}

let ground: Ground;
beforeEach(() => {
  vi.useFakeTimers();
  ground = new Ground();
});
afterEach(() => {
  ground.watches.stop();
  vi.useRealTimers();
});

describe('a terminal that is watched', () => {
  it('is opened once, however many ask and however early', async () => {
    let letIn: () => void = () => undefined;
    ground.gate = new Promise((resolve) => (letIn = resolve));
    const all = [1, 2, 3].map(() => ground.watches.watch(TARGET, false));
    letIn();
    await Promise.all(all);
    await ground.watches.watch(TARGET, false);
    expect(ground.links).toHaveLength(1);
    expect(ground.open).toBe(1);
    expect(ground.links[0]?.ends.path).toBe('panes/link?target=tmux%3Aown%3A1.2%3A%253');
  });

  it('takes keys under the epoch that the cloud said last, and under none before', async () => {
    await ground.watches.watch(TARGET, false);
    const ends = ground.links[0]?.ends;
    expect(ends?.epoch()).toBe(0);
    ends?.leased?.(7);
    expect(ends?.epoch()).toBe(7);
    ends?.leased?.(null);
    expect(ends?.epoch()).toBe(0);
  });

  it('is closed when nobody has watched it for a while, and not before', async () => {
    await ground.watches.watch(TARGET, false);
    ground.links[0]?.ends.watched?.(true);
    vi.advanceTimersByTime(10 * TIMINGS.lingerMs);
    expect(ground.open).toBe(1);
    ground.links[0]?.ends.watched?.(false);
    vi.advanceTimersByTime(TIMINGS.lingerMs - TIMINGS.checkMs);
    expect(ground.open).toBe(1);
    vi.advanceTimersByTime(2 * TIMINGS.checkMs);
    expect(ground.open).toBe(0);
    expect(ground.links[0]?.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is closed when nobody came to watch it at all', async () => {
    await ground.watches.watch(TARGET, false);
    vi.advanceTimersByTime(TIMINGS.lingerMs + TIMINGS.checkMs);
    expect(ground.open).toBe(0);
  });

  it('is closed with the reason once the limits forbid it', async () => {
    await ground.watches.watch(TARGET, false);
    ground.links[0]?.ends.watched?.(true);
    ground.forbidden = 'terminal_watch_not_allowed';
    vi.advanceTimersByTime(TIMINGS.checkMs);
    expect(ground.links[0]?.told).toEqual(['terminal_watch_not_allowed']);
    expect(ground.open).toBe(0);
  });

  it('is opened anew when its connection will not come back by itself', async () => {
    await ground.watches.watch(TARGET, false);
    const [first] = ground.links;
    if (first) first.over = true;
    await ground.watches.watch(TARGET, false);
    expect(ground.links).toHaveLength(2);
    expect(ground.open).toBe(1);
  });
});

describe('asking to drive', () => {
  it('is tried as at the first time, and leaves what is shown as it is', async () => {
    await ground.watches.watch(TARGET, false);
    await ground.watches.watch(TARGET, true);
    expect(ground.opened.map(({ drive, closed }) => ({ drive, closed }))).toEqual([
      { drive: false, closed: false },
      { drive: true, closed: true },
    ]);
    ground.refusal = 'terminal_drive_not_allowed';
    await expect(ground.watches.watch(TARGET, true)).rejects.toMatchObject({
      code: 'terminal_drive_not_allowed',
    });
    expect(ground.open).toBe(1);
  });

  it('of one that cannot be opened refuses with its reason, and may be asked again', async () => {
    ground.refusal = 'terminal_gone';
    await expect(ground.watches.watch(TARGET, false)).rejects.toMatchObject({
      code: 'terminal_gone',
    });
    ground.refusal = null;
    await ground.watches.watch(TARGET, false);
    expect(ground.open).toBe(1);
  });
});

describe('a runner', () => {
  it('shows so many terminals and no more', async () => {
    for (let pane = 0; pane < 50; pane++)
      await ground.watches.watch(`tmux:own:1.2:%${pane}`, false);
    await expect(ground.watches.watch('tmux:own:1.2:%50', false)).rejects.toMatchObject({
      code: 'terminal_unavailable',
    });
    expect(ground.open).toBe(50);
  });

  it('that stops lets go of all of them, those being opened included', async () => {
    await ground.watches.watch(TARGET, false);
    let letIn: () => void = () => undefined;
    ground.gate = new Promise((resolve) => (letIn = resolve));
    const late = ground.watches.watch('tmux:own:1.2:%4', false);
    ground.watches.stop();
    letIn();
    await late;
    expect(ground.open).toBe(0);
    expect(ground.links.filter(({ closed }) => !closed)).toEqual([]);
  });
});
