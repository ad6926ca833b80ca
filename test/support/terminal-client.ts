import WebSocket from 'ws';
import type { TerminalSize } from '../../protocol/takeover.ts';
import { terminalFrame, type TerminalFrame } from '../../protocol/terminal-frames.ts';
import { ShownScreen } from './shown-screen.ts';
import { until } from './until.ts';

/** A window on a session's terminal, as the console and the command line are one. */
export class TerminalClient {
  /** Everything shown so far: screens begin it anew. */
  text = '';
  bytes = 0;
  screens = 0;
  closeCode: number | null = null;
  readonly frames: TerminalFrame[] = [];
  /** A window that shows nothing acknowledges nothing. */
  acks = true;
  readonly #socket: WebSocket;
  /** The same, drawn: for programs that place their words. */
  readonly screen: ShownScreen;

  private constructor(socket: WebSocket, drives: boolean, size: TerminalSize) {
    this.#socket = socket;
    this.screen = new ShownScreen(size, (keys) => {
      if (drives) this.type(keys);
    });
    socket.on('message', (data: Buffer, binary) => {
      if (binary) {
        this.text += data.toString();
        this.screen.write(data);
        this.bytes += data.byteLength;
        if (this.acks) this.ack(data.byteLength);
        return;
      }
      const frame = terminalFrame.parse(JSON.parse(data.toString()));
      this.frames.push(frame);
      if (frame.type === 'size') this.screen.resize(frame);
      if (frame.type !== 'screen') return;
      this.screen.begin(frame.data, frame);
      this.screens += 1;
      this.text = frame.data;
    });
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => undefined);
  }

  static open(
    url: string,
    token: string,
    sessionId: string,
    key: string | null,
    size = { columns: 90, rows: 25 },
  ): Promise<TerminalClient> {
    return TerminalClient.openAt(url, token, `/v1/sessions/${sessionId}/terminal`, key, size);
  }

  /** The same at any address that shows a terminal. */
  static async openAt(
    url: string,
    token: string,
    path: string,
    key: string | null,
    size = { columns: 90, rows: 25 },
  ): Promise<TerminalClient> {
    const address = new URL(path, url.replace(/^http/, 'ws'));
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
    const client = new TerminalClient(socket, key !== null, size);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    client.send({ type: 'attach', key, size: key === null ? null : size });
    return client;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  ack(bytes: number): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.send({ type: 'ack', bytes });
  }

  type(text: string): void {
    this.#socket.send(Buffer.from(text));
  }

  untilFrame<T extends TerminalFrame['type']>(
    type: T,
    is: (frame: Extract<TerminalFrame, { type: T }>) => boolean = () => true,
  ): Promise<unknown> {
    return until(
      `a ${type} frame`,
      () =>
        this.frames.some(
          (frame) => frame.type === type && is(frame as Extract<TerminalFrame, { type: T }>),
        ),
      { withinMs: 60_000, tell: () => JSON.stringify(this.frames).slice(-2_000) },
    );
  }

  /** Waits until the words are shown. */
  see(words: string): Promise<unknown> {
    return until(`the terminal to show ${words}`, () => this.text.includes(words), {
      withinMs: 60_000,
      tell: () => JSON.stringify(this.text.slice(-2_000)),
    });
  }

  close(): void {
    this.#socket.close();
  }
}
