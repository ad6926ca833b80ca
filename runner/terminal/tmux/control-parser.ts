/**
 * tmux's control mode, read byte by byte: what a client of `tmux -C` prints, as it is (tmux(1),
 * CONTROL MODE). Output of panes is any bytes, so that nothing here is text before it has to be.
 */
export type ControlEvent =
  | { kind: 'output'; pane: string; data: Buffer }
  /** The answer to a command; `own` when this client gave it. */
  | { kind: 'reply'; ok: boolean; own: boolean; lines: Buffer[] }
  | { kind: 'notice'; name: string; rest: string }
  /** The stream is not what tmux prints: nothing after it can be trusted. */
  | { kind: 'broken'; reason: string };

/** Longest line that is kept, in bytes; tmux writes output in far shorter ones. */
const LINE_MAX_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;

type Block = { guard: string; own: boolean; lines: Buffer[] };

/** Turns chunks, cut anywhere, into events. */
export class ControlParser {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #block: Block | null = null;
  #broken = false;

  /** What a chunk completes, in order. After `broken` nothing comes any more. */
  feed(chunk: Buffer): ControlEvent[] {
    const events: ControlEvent[] = [];
    let start = 0;
    while (!this.#broken) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      const line = this.#complete(chunk.subarray(start, end));
      start = end + 1;
      const event = this.#line(line);
      if (event) events.push(event);
    }
    if (start < chunk.length && !this.#broken) this.#keep(chunk.subarray(start), events);
    return events;
  }

  #keep(part: Buffer, events: ControlEvent[]): void {
    this.#restBytes += part.length;
    if (this.#restBytes > LINE_MAX_BYTES) {
      events.push(this.#break(`a line of more than ${LINE_MAX_BYTES} bytes`));
      return;
    }
    // The chunk belongs to the stream, which may use its memory again.
    this.#rest.push(Buffer.from(part));
  }

  #complete(tail: Buffer): Buffer {
    if (this.#rest.length === 0) return tail;
    const line = Buffer.concat([...this.#rest, tail]);
    this.#rest = [];
    this.#restBytes = 0;
    return line;
  }

  #break(reason: string): ControlEvent {
    this.#broken = true;
    this.#rest = [];
    return { kind: 'broken', reason };
  }

  #line(line: Buffer): ControlEvent | null {
    if (this.#block) return this.#inBlock(this.#block, line);
    if (line[0] !== PERCENT) return this.#break('words outside of an answer');
    const space = line.indexOf(0x20);
    const name = line.toString('latin1', 1, space === -1 ? line.length : space);
    if (name === 'output') return parseOutput(line, space);
    const rest = space === -1 ? '' : line.toString('utf8', space + 1);
    if (name === 'begin') {
      this.#block = { guard: rest, own: rest.endsWith(' 1'), lines: [] };
      return null;
    }
    // An end without its beginning: a pane's text has ended an answer early, by looking like it.
    if (name === 'end' || name === 'error') return this.#break(`%${name} without its %begin`);
    return { kind: 'notice', name, rest };
  }

  #inBlock(block: Block, line: Buffer): ControlEvent | null {
    const ok = isGuard(line, '%end ', block.guard);
    if (!ok && !isGuard(line, '%error ', block.guard)) {
      block.lines.push(Buffer.from(line));
      return null;
    }
    this.#block = null;
    return { kind: 'reply', ok, own: block.own, lines: block.lines };
  }
}

/** Only the very numbers of its beginning end a block: whatever else stands in it is its content. */
const isGuard = (line: Buffer, word: string, guard: string): boolean =>
  line.length === word.length + guard.length && line.toString('utf8') === word + guard;

function parseOutput(line: Buffer, space: number): ControlEvent | null {
  const next = line.indexOf(0x20, space + 1);
  if (space === -1 || next === -1) return null;
  const pane = line.toString('latin1', space + 1, next);
  return { kind: 'output', pane, data: unescapeOutput(line.subarray(next + 1)) };
}

/** Undoes `\ooo`, in which tmux writes bytes below a space and the backslash; others are as they are. */
export function unescapeOutput(escaped: Buffer): Buffer {
  let at = escaped.indexOf(BACKSLASH);
  if (at === -1) return Buffer.from(escaped);
  const plain = Buffer.allocUnsafe(escaped.length);
  let from = 0;
  let length = 0;
  while (at !== -1) {
    length += escaped.copy(plain, length, from, at);
    const byte = octalAt(escaped, at + 1);
    plain[length++] = byte ?? BACKSLASH;
    from = at + (byte === null ? 1 : 4);
    at = escaped.indexOf(BACKSLASH, from);
  }
  length += escaped.copy(plain, length, from);
  return plain.subarray(0, length);
}

function octalAt(bytes: Buffer, at: number): number | null {
  let value = 0;
  for (let index = at; index < at + 3; index++) {
    const digit = (bytes[index] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return null;
    value = value * 8 + digit;
  }
  return value <= 0xff ? value : null;
}
