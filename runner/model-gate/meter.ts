import { estimateMicroUsd, type Tokens } from '../../protocol/prices.ts';
import { parseJson } from '../json.ts';
import type { Figures, Protocol } from './protocol.ts';

/** An answer without server-sent events is kept to be read whole, up to this many bytes. */
const WHOLE_MAX_BYTES = 16 * 1024 * 1024;
/** The longest line of a stream that is kept, in characters: some tell a whole answer in their last. */
const LINE_MAX_CHARS = 16 * 1024 * 1024;
/** Bytes of a stream that one token of it has at least: a token, and its share of an event around it. */
const STREAMED_BYTES_PER_TOKEN = 16;

/** What an answer came to. */
export type Metered = {
  model: string;
  tokens: Tokens;
  /** Null for a model without a known price, which is not zero. */
  microUsd: number | null;
  /** The provider said so itself; else it ended before it did, and this is the most it can be. */
  told: boolean;
};

/**
 * Reads a provider's figures out of an answer as it passes, and changes nothing of it. Bytes go in
 * in any pieces.
 */
export class Meter {
  readonly #protocol: Protocol;
  readonly #call: { model: string; inputTokens: number };
  readonly #events: boolean;
  readonly #decoder = new TextDecoder();
  #pending = '';
  #skipping = false;
  #bytes = 0;
  #figures: Figures = {};

  /** `inputTokens` is what the request was estimated to be, for an answer that never says. */
  constructor(
    protocol: Protocol,
    call: { model: string; inputTokens: number },
    contentType: string,
  ) {
    this.#protocol = protocol;
    this.#call = call;
    this.#events = contentType.includes('text/event-stream');
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    if (!this.#events) {
      if (this.#bytes <= WHOLE_MAX_BYTES) this.#pending += text;
      return;
    }
    const [first = '', ...rest] = text.split('\n');
    this.#hold(first);
    for (const part of rest) {
      this.#line(this.#pending);
      this.#pending = '';
      this.#skipping = false;
      this.#hold(part);
    }
  }

  /** What is too long to be held tells no figure, so that the answer counts as the most it can be. */
  #hold(part: string): void {
    this.#skipping ||= this.#pending.length + part.length > LINE_MAX_CHARS;
    this.#pending = this.#skipping ? '' : this.#pending + part;
  }

  #line(line: string): void {
    // Of thousands of events few tell a figure, and parsing the others would be most of the work.
    if (!line.startsWith('data:') || !line.includes('"usage')) return;
    this.#read(line.slice('data:'.length));
  }

  #read(text: string): void {
    const figures = this.#protocol.readFigures(parseJson(text));
    if (figures) this.#figures = { ...this.#figures, ...figures };
  }

  /** What the call came to. `whole`: the answer ended by itself. */
  end(whole: boolean): Metered {
    if (this.#events) this.#line(this.#pending);
    else this.#read(this.#pending);
    this.#pending = '';
    const { model = this.#call.model, ...told } = this.#figures;
    const known = told.inputTokens !== undefined && told.outputTokens !== undefined;
    const streamed = Math.ceil(this.#bytes / STREAMED_BYTES_PER_TOKEN);
    const tokens: Tokens = {
      inputTokens: told.inputTokens ?? this.#call.inputTokens,
      cacheReadTokens: told.cacheReadTokens ?? 0,
      cacheWriteTokens: told.cacheWriteTokens ?? 0,
      // A stream that was cut may have written more than it had counted.
      outputTokens:
        whole && known ? (told.outputTokens ?? 0) : Math.max(told.outputTokens ?? 0, streamed),
    };
    const microUsd = estimateMicroUsd(model, tokens) ?? estimateMicroUsd(this.#call.model, tokens);
    return { model, tokens, microUsd, told: whole && known };
  }
}
