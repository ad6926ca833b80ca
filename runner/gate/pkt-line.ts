import type { Readable } from 'node:stream';

/** A line of git's protocol: its text, or the end of a list (gitprotocol-common(5), pkt-line). */
export type Packet = string | null;

/** The longest line that git writes. */
const PACKET_MAX_BYTES = 65_520;

export const FLUSH = '0000';

/** One line as git reads it. Throws where it is longer than its four digits may say. */
export function packetOf(text: string): string {
  const length = Buffer.byteLength(text) + 4;
  if (length > PACKET_MAX_BYTES) throw new Error('this is too long for a line of git’s protocol');
  return length.toString(16).padStart(4, '0') + text;
}

/** Reads lines one by one; {@link release} leaves what follows them in the stream. */
export class PacketReader {
  readonly #stream: Readable;
  #held = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  /** The next line without its newline, or null at the end of a list. Throws at the stream's end. */
  async read(): Promise<Packet> {
    const head = (await this.#take(4)).toString('latin1');
    const length = /^[0-9a-f]{4}$/i.test(head) ? Number.parseInt(head, 16) : Number.NaN;
    if (length === 0) return null;
    if (!(length >= 4 && length <= PACKET_MAX_BYTES))
      throw new Error('not a line of git’s protocol');
    return (await this.#take(length - 4)).toString('utf8').replace(/\n$/, '');
  }

  /** The lines up to the end of the list. Throws when they are longer together than `maxChars`. */
  async readList(maxChars = Infinity): Promise<string[]> {
    const lines: string[] = [];
    let left = maxChars;
    for (let line = await this.read(); line !== null; line = await this.read()) {
      left -= line.length;
      if (left < 0) throw new Error('more was said than is read');
      lines.push(line);
    }
    return lines;
  }

  /** Gives back what was read too far, for whoever reads on. */
  release(): void {
    if (this.#held.length > 0) this.#stream.unshift(this.#held);
    this.#held = Buffer.alloc(0);
  }

  async #take(bytes: number): Promise<Buffer> {
    while (this.#held.length < bytes) {
      // All that is there: a stream with something left is readable at once, for ever.
      const chunk = this.#stream.read() as Buffer | null;
      if (chunk) this.#held = Buffer.concat([this.#held, chunk]);
      else if (this.#stream.readableEnded || this.#stream.destroyed)
        throw new Error('the other side ended in the middle');
      else await nextEvent(this.#stream);
    }
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }
}

function nextEvent(stream: Readable): Promise<void> {
  const names = ['readable', 'end', 'close', 'error'];
  return new Promise((resolve) => {
    const go = () => {
      for (const name of names) stream.off(name, go);
      resolve();
    };
    for (const name of names) stream.on(name, go);
  });
}
