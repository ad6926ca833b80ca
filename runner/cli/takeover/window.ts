import WebSocket from 'ws';
import { parseFrame } from '../../../protocol/codec.ts';
import { fitSize, type TerminalSize } from '../../../protocol/takeover.ts';
import { INPUT_FRAME_BYTES, terminalFrame } from '../../../protocol/terminal-frames.ts';
import { endWhenSilent } from '../heartbeat.ts';
import { borrowTerminal, type OwnTerminal, type Streams } from './own-terminal.ts';

/** Ctrl-]: what telnet and ssh's like use to leave, and what no engine is known to want. */
export const LEAVE_KEY = 0x1d;

export type WindowEnd =
  | { why: 'left' }
  /** The terminal on the machine is gone: the engine was left, or the session ended. */
  | { why: 'closed' }
  | { why: 'demoted' }
  /** Somebody ends this process, or its terminal was closed. */
  | { why: 'signal'; signal: NodeJS.Signals }
  | { why: 'lost'; reason: string };

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Who types into a dead connection learns it within two of these, in ms. */
const PING_MS = 5_000;
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

const sizeOf = ({ columns, rows }: NodeJS.WriteStream): TerminalSize => fitSize({ columns, rows });

/**
 * Shows a session's terminal in this one and hands it every key, until the leave key or the end.
 * However it ends, this terminal is as it was before.
 */
export function driveTerminal(
  target: { url: string; token: string; sessionId: string; key: string },
  { input, output }: Streams,
): Promise<WindowEnd> {
  const address = new URL(
    `/v1/sessions/${encodeURIComponent(target.sessionId)}/terminal`,
    target.url,
  );
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, {
    headers: { authorization: `Bearer ${target.token}` },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  const send = (frame: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  endWhenSilent(socket, PING_MS);
  return new Promise((resolve) => {
    let terminal: OwnTerminal | null = null;
    let shown = false;
    let reason = 'the connection broke';
    const end = (why: WindowEnd) => {
      input.off('data', typed);
      output.off('resize', resized);
      for (const signal of SIGNALS) process.off(signal, signalled);
      terminal?.restore();
      socket.terminate();
      resolve(why);
    };
    const signalled = (signal: NodeJS.Signals) => end({ why: 'signal', signal });
    const typed = (bytes: Buffer) => {
      const leaves = bytes.indexOf(LEAVE_KEY);
      const keys = leaves < 0 ? bytes : bytes.subarray(0, leaves);
      for (let start = 0; start < keys.byteLength; start += INPUT_FRAME_BYTES)
        if (socket.readyState === WebSocket.OPEN)
          socket.send(keys.subarray(start, start + INPUT_FRAME_BYTES));
      if (leaves >= 0) end({ why: 'left' });
    };
    const resized = () => send({ type: 'resize', size: sizeOf(output) });
    const hear = (text: string) => {
      const parsed = parseFrame(terminalFrame, text);
      if (parsed.kind !== 'valid') return;
      const frame = parsed.value;
      if (frame.type === 'screen') terminal?.redraw(frame.data);
      if (frame.type === 'screen' && !shown) {
        shown = true;
        // Asked again, because the size that was attached with may have found no terminal yet.
        resized();
      }
      if (frame.type === 'machine' && !frame.connected && shown) end({ why: 'closed' });
      if (frame.type === 'demoted') end({ why: 'demoted' });
      if (frame.type === 'failed') reason = frame.message;
    };
    socket.on('open', () => {
      const attach = () => send({ type: 'attach', key: target.key, size: sizeOf(output) });
      // What was shown is asked for again after this process was stopped for a while.
      terminal = borrowTerminal({ input, output }, attach);
      input.resume();
      input.on('data', typed);
      output.on('resize', resized);
      attach();
    });
    socket.on('message', (data: Buffer, binary) => {
      if (!binary) return hear(data.toString());
      output.write(data, () => send({ type: 'ack', bytes: data.byteLength }));
    });
    // What went wrong shows in the close that follows.
    socket.on('error', (error) => (reason = error.message));
    socket.on('close', () => end({ why: 'lost', reason }));
    for (const signal of SIGNALS) process.on(signal, signalled);
  });
}
