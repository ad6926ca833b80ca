import type { Observed } from '../../protocol/engine-event.ts';
import type { Payer, UsageEntry } from '../../protocol/usage.ts';

/** Reads files as the engine itself names them, wherever a seal keeps them. Never throws. */
export type Look = {
  /** The last bytes of a file, and where in it they begin; null where there is none to read. */
  tail(path: string, maxBytes: number): Promise<{ text: string; from: number } | null>;
  /** Names in a directory, sorted; none where there is none. */
  list(path: string): Promise<readonly string[]>;
};

/** The conversation whose figures are looked for. */
export type BookedConversation = { engineSessionId: string; directory: string };

/** What a terminal cost, and the parser's state that goes on from there. */
export type Settlement<State> = {
  state: State | null;
  entries: UsageEntry[];
  usage: Exclude<Observed, 'unobservable'>;
};

/**
 * What an engine keeps of a conversation's cost in files of its own, which its terminal writes as
 * well: the only figures of the time in which a person drives, because no screen is read.
 */
export type TerminalBooks<State> = {
  /** The books as they stand now, as JSON. */
  read(look: Look, conversation: BookedConversation, env: NodeJS.ProcessEnv): Promise<unknown>;
  /**
   * What was spent between two readings. Pure. `state` is what the conversation's last process
   * left of the parser's; books that cannot tell are `unsettled`, and never nothing.
   */
  settle(state: State | null, before: unknown, after: unknown): Settlement<State>;
};

/**
 * Of an engine that writes down no figure of a terminal's that could be used: the ledger gets a
 * line that says so. `goOn` is what its parser has to know of that.
 */
export function noBooks<State extends { model: string | null; payer: Payer }>(
  unnamedModel: string,
  goOn: (state: State) => State,
): TerminalBooks<State> {
  return {
    read: async () => null,
    settle: (state) => ({
      state: state && goOn(state),
      entries: [
        {
          model: state?.model ?? unnamedModel,
          provenance: 'unsettled',
          payer: state?.payer ?? 'unknown',
          inputTokens: 0,
          outputTokens: 0,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          microUsd: null,
        },
      ],
      usage: 'unsettled',
    }),
  };
}
