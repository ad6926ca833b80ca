/** What a model API of a brain answers; the last of a script again and again. */
export type BrainReply =
  | {
      kind: 'answer';
      answer: unknown;
      finish?: 'stop' | 'length' | 'refusal';
      usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number };
    }
  /** An agent's answer: words, and tools that it would have called. */
  | {
      kind: 'calls';
      text?: string;
      calls: readonly { name: string; input: unknown }[];
      usage?: { input?: number; output?: number };
    }
  | { kind: 'error'; status: number; headers?: Record<string, string> }
  /** A body that is no answer of the API. */
  | { kind: 'raw'; text: string }
  | { kind: 'hang' };

/** One request as it came. */
export type SeenCall = { path: string; key: string | null; body: Record<string, unknown> };

declare module 'vitest' {
  interface ProvidedContext {
    /** Root of the model APIs on loopback. */
    brainApi: string;
  }
}
