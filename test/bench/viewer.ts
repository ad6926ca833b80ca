import WebSocket from 'ws';
import type { Frame } from './arrivals.ts';
import { monotonicMs } from './lines.ts';

/**
 * The end of both paths: notes when each frame came and reads it only afterwards, so that the
 * time which reading takes is in no figure.
 */
export class Viewer {
  #frames: Frame[] = [];
  #awaited: { text: string; resolve(): void } | null = null;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data.toString()));
  }

  static async connect(url: string, headers: Record<string, string> = {}): Promise<Viewer> {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    const viewer = new Viewer(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return viewer;
  }

  send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Waits for a frame that holds `text`. Throws after `withinMs`, saying what did come. */
  async awaitText(text: string, withinMs: number): Promise<void> {
    if (this.#frames.some((frame) => frame.text.includes(text))) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Error(
              `${text} did not arrive within ${withinMs} ms; ${this.#frames.length} frames came, the last ${this.#frames.at(-1)?.text.slice(0, 300)}`,
            ),
          ),
        withinMs,
      );
    });
    const arrived = new Promise<void>((resolve) => (this.#awaited = { text, resolve }));
    try {
      await Promise.race([arrived, late]);
    } finally {
      clearTimeout(timer);
      this.#awaited = null;
    }
  }

  /** Takes what has come since the last time. */
  take(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  close(): void {
    this.#socket.close();
  }

  #take(text: string): void {
    this.#frames.push({ at: monotonicMs(), text });
    if (this.#awaited && text.includes(this.#awaited.text)) this.#awaited.resolve();
  }
}
