import { vi } from 'vitest';
import type * as real from '../../../console/takeover/terminal-window.ts';
import { sequenceOf } from '../../../console/takeover/keys.ts';
import { ScriptedSocket } from './scripted-socket.ts';

type Open = typeof real.openTerminalWindow;

/** A page without layout draws no terminal: what one was asked to show, and what is typed into it. */
export class DrawnTerminal {
  /** The newest last; a window is opened anew for each lease. */
  static readonly all: DrawnTerminal[] = [];
  readonly shown: string[] = [];
  readonly taken: { columns: number; rows: number; shrink: boolean }[] = [];
  readonly options: Parameters<Open>[1];
  readonly events: Parameters<Open>[2];
  disposed = false;
  /** What the place for it has room for. */
  room = { columns: 90, rows: 25 };
  readonly terminal = {
    modes: { applicationCursorKeysMode: false },
    focus: vi.fn<() => void>(),
    input: (keys: string) => this.type(keys),
  };

  constructor(options: Parameters<Open>[1], events: Parameters<Open>[2]) {
    this.options = options;
    this.events = events;
    DrawnTerminal.all.push(this);
  }

  /** As the real one hands on what a person types. */
  type(keys: string): void {
    this.events.typed(new TextEncoder().encode(this.events.mapped(keys)));
  }

  measure = () => this.room;
  take = ({ columns, rows }: { columns: number; rows: number }, shrink: boolean) =>
    void this.taken.push({ columns, rows, shrink });
  write = (bytes: Uint8Array<ArrayBuffer>, shown: () => void) => {
    this.shown.push(new TextDecoder().decode(bytes));
    shown();
  };
  redraw = (data: string) => void this.shown.push(`screen:${data}`);
  dispose = () => void (this.disposed = true);
}

/** Takes the place of the real one. */
export const openTerminalWindow = (
  _host: HTMLElement,
  options: Parameters<Open>[1],
  events: Parameters<Open>[2],
): DrawnTerminal => new DrawnTerminal(options, events);

/** The sockets that a page opened, the newest last, each doing only what a test tells it to. */
export class OpenedSocket extends ScriptedSocket {
  static readonly all: OpenedSocket[] = [];
  readonly address: string;
  constructor(address: URL) {
    super();
    this.address = address.href.slice(address.origin.length);
    OpenedSocket.all.push(this);
  }

  /** What it was sent, frames as they read and keys as text. */
  get heard(): unknown[] {
    return this.sent.map((frame: string | Uint8Array) =>
      typeof frame === 'string' ? (JSON.parse(frame) as unknown) : new TextDecoder().decode(frame),
    );
  }
}

export const newest = () => {
  const [window, socket] = [DrawnTerminal.all.at(-1), OpenedSocket.all.at(-1)];
  if (!window || !socket) throw new Error('no terminal was opened');
  return { window, socket };
};

/** Forgets what earlier tests opened, and lets the page open scripted sockets. */
export function scriptSockets(): void {
  DrawnTerminal.all.length = 0;
  OpenedSocket.all.length = 0;
  vi.stubGlobal('WebSocket', OpenedSocket);
}

/** What the keys of the bar send. */
export const ESCAPE = sequenceOf('Esc', false);
