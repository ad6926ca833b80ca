import { exports } from 'cloudflare:workers';
import { type Ask, headersOf, HOST } from './http.ts';

/** Longest wait of a test for something that should come at once, in ms. */
const PATIENCE_MS = 15_000;

/** One end of a real WebSocket: keeps what came, in order, and waits for what should. */
export class TestSocket<Frame extends { type: string }> {
  readonly frames: Frame[] = [];
  /** What came as bytes. */
  readonly binary: Uint8Array[] = [];
  readonly socket: WebSocket;
  readonly #parse: (text: string) => Frame;
  #read = 0;
  closeCode: number | null = null;
  pongs = 0;

  constructor(socket: WebSocket, parse: (text: string) => Frame) {
    this.socket = socket;
    this.#parse = parse;
    socket.binaryType = 'arraybuffer';
    socket.accept();
    socket.addEventListener('message', ({ data }) => {
      if (data === 'pong') this.pongs += 1;
      else if (data instanceof ArrayBuffer) this.binary.push(new Uint8Array(data));
      else this.frames.push(this.#parse(String(data)));
    });
    socket.addEventListener('close', ({ code }) => {
      this.closeCode = code;
    });
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame of a type that was not read yet; skips the others before it. */
  async next<T extends Frame['type']>(type: T): Promise<Extract<Frame, { type: T }>> {
    await until(
      () => this.frames.slice(this.#read).some((frame) => frame.type === type),
      `a ${type} frame`,
    );
    const index = this.frames.findIndex((frame, at) => at >= this.#read && frame.type === type);
    this.#read = index + 1;
    return this.frames[index] as Extract<Frame, { type: T }>;
  }

  async closed(): Promise<number> {
    await until(() => this.closeCode !== null, 'the socket to close');
    return this.closeCode ?? 0;
  }
}

/** Opens a WebSocket to the Worker; null with the status when it is refused. */
export async function openSocket(
  path: string,
  options: Ask,
): Promise<{ status: number; socket: WebSocket | null }> {
  const response = await exports.default.fetch(`http://${HOST}${path}`, {
    headers: { ...headersOf(options), upgrade: 'websocket' },
  });
  return { status: response.status, socket: response.webSocket };
}

/** Waits until `check` holds. Throws, naming what did not happen, when it does not in time. */
export async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedAt = Date.now();
  while (!(await check())) {
    if (Date.now() - startedAt > PATIENCE_MS)
      throw new Error(`waited ${PATIENCE_MS} ms in vain for ${what}`);
    await scheduler.wait(5);
  }
}
