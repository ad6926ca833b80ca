import { parseFrame } from '../../protocol/codec.ts';
import type { TerminalSize } from '../../protocol/takeover.ts';
import {
  terminalFrame,
  type TerminalFrame,
  type ViewerFrame,
} from '../../protocol/terminal-frames.ts';
import { type Connection, openLastingSocket, type SocketDeps } from '../lib/lasting-socket.ts';
import { cutKeys } from './keys.ts';

/** What a terminal's socket tells, and what it asks at each opening. */
export type TerminalEvents = {
  /** With it this window drives; null watches. */
  key: string | null;
  /** The size of the window; null before it has one. */
  size: () => TerminalSize | null;
  frame: (frame: TerminalFrame) => void;
  /** Output to show; `shown` is called when it is, and lets more come. */
  output: (bytes: Uint8Array<ArrayBuffer>, shown: () => void) => void;
  connection: (connection: Connection) => void;
};

/** The hold on an open window. */
export type TerminalSocket = {
  type: (keys: Uint8Array<ArrayBuffer>) => void;
  resize: (size: TerminalSize) => void;
  reconnect: () => void;
  close: () => void;
};

/**
 * Keeps one window on a session's terminal open. Whatever was missed while it was not is in the
 * screen that comes first; nothing is kept, and keys typed meanwhile are said to be lost.
 */
export function openTerminalSocket(deps: SocketDeps, events: TerminalEvents): TerminalSocket {
  const send = (frame: ViewerFrame) => socket.send(JSON.stringify(frame));
  // What is shown after a connection was lost belongs to its count and to no later one.
  let life = 0;
  const socket = openLastingSocket(deps, {
    opened: () => {
      life += 1;
      send({ type: 'attach', key: events.key, size: events.size() });
    },
    text: (text) => {
      const parsed = parseFrame(terminalFrame, text);
      if (parsed.kind === 'invalid') socket.lose();
      if (parsed.kind !== 'valid') return;
      if (parsed.value.type === 'attached') socket.settle();
      events.frame(parsed.value);
    },
    bytes: (buffer) => {
      const { byteLength } = buffer;
      const its = life;
      events.output(new Uint8Array(buffer), () => {
        if (its === life && byteLength > 0) send({ type: 'ack', bytes: byteLength });
      });
    },
    connection: events.connection,
  });
  return {
    type: (keys) => {
      const sent = cutKeys(keys).every((frame) => socket.send(frame));
      if (!sent) events.frame({ type: 'dropped', bytes: keys.byteLength });
    },
    resize: (size) => void send({ type: 'resize', size }),
    reconnect: socket.reconnect,
    close: socket.close,
  };
}
