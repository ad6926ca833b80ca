import type { Tokens } from '../../protocol/prices.ts';

/** A provider's own way to be asked, which decides how a call is read, metered and refused. */
export type ProtocolId = 'anthropic' | 'openai' | 'gemini';

/** What a request may come to, read from its own body. */
export type CallFacts = {
  model: string;
  /** Most tokens that it may write; null when it sets no limit. */
  maxOutputTokens: number | null;
  /** Least limit that still makes sense to the provider, as where thoughts have one of their own. */
  leastOutputTokens: number;
};

/** Figures that a provider told of a call so far; the last ones count. */
export type Figures = Partial<Tokens> & { model?: string };

export type Protocol = {
  id: ProtocolId;
  /** `free`: known to cost nothing. `unknown`: it might spend, and nobody can say what. */
  kindOf(method: string, path: string): 'spends' | 'free' | 'unknown';
  /** Null for a body that is none of the protocol's. */
  readCall(path: string, body: unknown): CallFacts | null;
  /** The same request, allowed to write no more than `tokens`. */
  lower(body: unknown, tokens: number): unknown;
  /** Tokens that a model may write which is given no limit. */
  usualOutputTokens: number;
  /** What one message of the answer, or the whole of it, tells; null for nothing. */
  readFigures(message: unknown): Figures | null;
  /** The provider's own form of an error. */
  refuse(status: number, message: string): unknown;
};
