import { type RefObject, useEffect, useRef, useState } from 'react';
import type { TerminalSize } from '../../protocol/takeover.ts';
import type { TerminalFrame } from '../../protocol/terminal-frames.ts';
import { type BarKey, sequenceOf, withCtrl } from './keys.ts';
import { openTerminalSocket } from './terminal-socket.ts';
import { reduceTerminal, type TerminalState, UNOPENED } from './terminal-state.ts';
import { openTerminalWindow, type TerminalWindow } from './terminal-window.ts';

/** A burst of changes of the window's size asks for one size at its end, in ms. */
const RESIZE_AFTER_MS = 120;

/** Who types into a dead connection learns it within two of these, in ms. */
const PING_EVERY_MS = 4_000;

function openSocket(path: string): WebSocket {
  const address = new URL(path, location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  return socket;
}

type Options = {
  host: RefObject<HTMLElement | null>;
  /** The socket's address. */
  path: string;
  /** With it this window drives; another one is another window. */
  leaseKey: string | null;
  /** A terminal of the person's own: its size is theirs, and what asks it is answered there. */
  own?: boolean;
  left: () => void;
};

/** Joins a drawn terminal with its connection, for as long as the page shows it. */
export function useTerminal({ host, path, leaseKey, left, own = false }: Options) {
  const [state, setState] = useState<TerminalState>(UNOPENED);
  const [ctrl, setCtrl] = useState(false);
  const ctrlHeld = useRef(false);
  const open = useRef<TerminalWindow>(null);
  const leave = useRef(left);
  useEffect(() => {
    leave.current = left;
  }, [left]);
  const holdCtrl = (on: boolean) => {
    ctrlHeld.current = on;
    setCtrl(on);
  };

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const drives = leaseKey !== null;
    const shrinks = own || !drives;
    const mapped = (text: string): string => {
      if (!ctrlHeld.current) return text;
      ctrlHeld.current = false;
      setCtrl(false);
      return withCtrl(text);
    };
    const window = openTerminalWindow(
      element,
      { drives, own },
      {
        typed: (keys) => {
          setState((now) => (now.dropped ? { ...now, dropped: false } : now));
          socket.type(keys);
        },
        mapped,
        left: () => leave.current(),
      },
    );
    open.current = window;
    let machine: TerminalSize | null = null;
    const take = (size: TerminalSize) => {
      machine = size;
      window.take(size, shrinks);
    };
    const fill = () => {
      const size = window.measure();
      if (shrinks && machine) window.take(machine, true);
      if (shrinks || !size) return;
      if (size.columns !== machine?.columns || size.rows !== machine.rows) socket.resize(size);
    };
    const draw = (frame: TerminalFrame) => {
      if (frame.type === 'size') take(frame);
      if (frame.type === 'screen') {
        take(frame);
        window.redraw(frame.data);
        // The size that was attached with may have found no terminal yet.
        fill();
      }
      setState((now) => reduceTerminal(now, frame));
    };
    const socket = openTerminalSocket(
      {
        open: () => openSocket(path),
        now: Date.now,
        random: Math.random,
        pingEveryMs: PING_EVERY_MS,
      },
      {
        key: leaseKey,
        size: own ? () => null : window.measure,
        frame: draw,
        output: window.write,
        connection: (connection) => setState((now) => ({ ...now, connection })),
      },
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watcher = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(fill, RESIZE_AFTER_MS);
    });
    watcher.observe(element);
    addEventListener('online', socket.reconnect);
    if (drives) window.terminal.focus();
    return () => {
      removeEventListener('online', socket.reconnect);
      watcher.disconnect();
      clearTimeout(timer);
      socket.close();
      window.dispose();
      open.current = null;
      ctrlHeld.current = false;
      setCtrl(false);
      setState(UNOPENED);
    };
  }, [host, path, leaseKey, own]);

  const press = (key: BarKey) => {
    const terminal = open.current?.terminal;
    terminal?.input(sequenceOf(key, terminal.modes.applicationCursorKeysMode));
    terminal?.focus();
  };
  return { state, press, ctrl, toggleCtrl: () => holdCtrl(!ctrlHeld.current) };
}
