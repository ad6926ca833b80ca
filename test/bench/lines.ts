/** Blocks of one message, and pieces of one block: what a long turn of an engine looks like. */
export const PER_MESSAGE = 500;

/** As long as a short sentence of an engine, so that a line has the size of a real one. */
const FILLER = 'The parser reads one more line and goes on with the next one.';
const MARK = /\[(\d+)@(\d+\.\d{3})\]/g;

/** What is sent: `events` are stored before they are shown, `deltas` are shown and not stored. */
export type Content = 'events' | 'deltas';

/** One numbered thing on its way and when it left its producer, in ms of the monotonic clock. */
export type Mark = { index: number; sentAt: number };

/** Ms of the clock that all processes of a machine share: it has no relation to the calendar. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const markOf = ({ index, sentAt }: Mark): string => `[${index}@${sentAt.toFixed(3)}]`;

/** The marks in a text, in the order in which they stand. */
export function readMarks(text: string): Mark[] {
  return [...text.matchAll(MARK)].map((found) => ({
    index: Number(found[1]),
    sentAt: Number(found[2]),
  }));
}

const messageId = (run: string, index: number): string =>
  `msg_${run}_${Math.floor(index / PER_MESSAGE)}`;

function blockLine(id: string, index: number, text: string): string {
  return JSON.stringify({
    type: 'assistant',
    message: {
      id,
      role: 'assistant',
      model: 'rehearsal',
      content: [{ type: 'text', text }],
      usage: {
        input_tokens: 100,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
      },
    },
    parent_tool_use_id: null,
    uuid: `uuid-${id}-${index}`,
  });
}

function streamLine(id: string, index: number, event: Record<string, unknown>): string {
  const uuid = `uuid-${id}-${index}-${String(event['type'])}`;
  return JSON.stringify({ type: 'stream_event', event, parent_tool_use_id: null, uuid });
}

/** Writes the lines of one run as an engine would: numbered, stamped, in the engine's protocol. */
export class LineWriter {
  readonly #run: string;
  readonly #content: Content;
  #block = '';

  constructor(run: string, content: Content) {
    this.#run = run;
    this.#content = content;
  }

  /** The line that carries mark `index`; it alone is what a bare relay is given. */
  line(mark: Mark): string {
    const id = messageId(this.#run, mark.index);
    const text = `${markOf(mark)} ${FILLER}`;
    if (this.#content === 'events') return blockLine(id, mark.index, text);
    this.#block += text;
    return streamLine(id, mark.index, {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    });
  }

  /** What the protocol wants before the line of `index`: a message begins. */
  before(index: number): string[] {
    if (this.#content === 'events' || index % PER_MESSAGE !== 0) return [];
    const id = messageId(this.#run, index);
    const message = { id, role: 'assistant', model: 'rehearsal', content: [] };
    return [
      streamLine(id, index, { type: 'message_start', message }),
      streamLine(id, index, {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
    ];
  }

  /** What the protocol wants after it: the block is complete, in one line of its whole text. */
  after(index: number, last: boolean): string[] {
    if (this.#content === 'events' || (!last && (index + 1) % PER_MESSAGE !== 0)) return [];
    const id = messageId(this.#run, index);
    const text = this.#block;
    this.#block = '';
    return [
      blockLine(id, index, text),
      streamLine(id, index, { type: 'content_block_stop', index: 0 }),
    ];
  }
}
