import type { Terminal } from '@xterm/xterm';

/**
 * Keeps a window that is only a picture of a terminal from answering what programs ask of it: the
 * terminal itself has answered, and a second answer would be typed into the program.
 */
export function muteAnswers(terminal: Pick<Terminal, 'parser'>): void {
  const { parser } = terminal;
  const nothing = () => true;
  // Device attributes and status, modes, settings, and colours where they are asked for.
  for (const prefix of [{}, { prefix: '>' }, { prefix: '=' }])
    parser.registerCsiHandler({ ...prefix, final: 'c' }, nothing);
  for (const prefix of [{}, { prefix: '?' }])
    parser.registerCsiHandler({ ...prefix, final: 'n' }, nothing);
  for (const prefix of [{}, { prefix: '?' }])
    parser.registerCsiHandler({ ...prefix, intermediates: '$', final: 'p' }, nothing);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, nothing);
  for (const colour of [4, 10, 11, 12])
    parser.registerOscHandler(colour, (data) => data.split(';').includes('?'));
}

const ESCAPE = 0x1b;
const TITLE = 0x6b;
const END = 0x5c;
const CANCEL = 0x18;
const SUBSTITUTE = 0x1a;

/**
 * Leaves out the titles that programs give a window of tmux or screen (`ESC k … ESC \`), which no
 * other terminal knows and would show as text. Chunks may be cut anywhere. A title that is never
 * ended properly ends where any terminal would give it up: at the next sequence, or a cancel.
 */
export class TitleFilter {
  #state: 'text' | 'escape' | 'title' | 'titleEscape' = 'text';

  feed(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const kept = new Uint8Array(chunk.byteLength + 1);
    let length = 0;
    for (const byte of chunk) {
      if (this.#state === 'text') {
        if (byte === ESCAPE) this.#state = 'escape';
        else kept[length++] = byte;
      } else if (this.#state === 'escape') {
        length = this.#afterEscape(byte, kept, length);
      } else if (this.#state === 'title') {
        if (byte === ESCAPE) this.#state = 'titleEscape';
        else if (byte === CANCEL || byte === SUBSTITUTE) this.#state = 'text';
      } else if (byte === END) this.#state = 'text';
      else length = this.#afterEscape(byte, kept, length);
    }
    return kept.subarray(0, length);
  }

  /** What a byte after an escape begins. Returns how much is kept with it. */
  #afterEscape(byte: number, kept: Uint8Array, length: number): number {
    this.#state = byte === TITLE ? 'title' : byte === ESCAPE ? 'escape' : 'text';
    if (byte === TITLE) return length;
    kept[length] = ESCAPE;
    if (byte === ESCAPE) return length + 1;
    kept[length + 1] = byte;
    return length + 2;
  }
}
