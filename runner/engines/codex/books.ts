import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { BookedConversation, Look, TerminalBooks } from '../terminal-books.ts';
import { bookedTotals, type Books, type ThreadTotals, totals } from './lines.ts';
import { codexHome } from './home.ts';
import type { CodexState } from './state.ts';
import { decideDifference, entryOf, UNNAMED_MODEL, unsettledEntry } from './usage.ts';

/** How much of a thread's file is looked through for its last total: bytes. */
const TAIL_BYTES = 4 * 1024 * 1024;

const counted = z.object({
  type: z.literal('event_msg'),
  payload: z.object({
    type: z.literal('token_count'),
    info: z.object({ total_token_usage: totals }),
  }),
});

/** A thread's file is named by the day of its beginning and its id; newer days come first. */
async function read(
  look: Look,
  { engineSessionId }: BookedConversation,
  env: NodeJS.ProcessEnv,
): Promise<Books> {
  const listed = async (directory: string) =>
    (await look.list(directory)).toReversed().map((name) => join(directory, name));
  for (const year of await listed(join(codexHome(env), 'sessions')))
    for (const month of await listed(year))
      for (const day of await listed(month))
        for (const path of await listed(day)) {
          if (!path.endsWith(`-${engineSessionId}.jsonl`)) continue;
          const file = await look.tail(path, TAIL_BYTES);
          if (file) return { totals: findTotals(file.text) };
        }
  return { totals: null };
}

function findTotals(text: string): ThreadTotals | null {
  for (const line of text.split('\n').toReversed()) {
    if (!line.includes('"token_count"')) continue;
    const parsed = counted.safeParse(parseJson(line));
    if (parsed.success) return parsed.data.payload.info.total_token_usage;
  }
  return null;
}

/** What codex writes down of a thread's tokens after every answer, whichever process gave it. */
export const codexBooks = <State extends CodexState>(): TerminalBooks<State> => ({
  read,
  settle(state, rawBefore, rawAfter) {
    const before = bookedTotals(rawBefore) ?? state?.totals ?? null;
    const after = bookedTotals(rawAfter);
    const difference = before && after ? decideDifference(before, after) : null;
    const label = { model: state?.model ?? null, payer: state?.payer ?? 'unknown' } as const;
    if (!difference) {
      // The next turn's figure includes it, and says so.
      const goesOn = state && { ...state, unsettledTurns: state.unsettledTurns + 1 };
      return { state: goesOn, entries: [unsettledEntry(label)], usage: 'unsettled' };
    }
    const goesOn = state && { ...state, totals: difference.total };
    if (!Object.values(difference.added).some((tokens) => tokens > 0))
      return { state: goesOn, entries: [], usage: 'none' };
    // Its terminal also asks a model for a title, which is in no total of the thread: this is the
    // least that it can have cost.
    const entry = entryOf(difference.added, label.model ?? UNNAMED_MODEL, label.payer);
    return {
      state: goesOn,
      entries: [{ ...entry, provenance: 'unsettled' }],
      usage: 'unsettled',
    };
  },
});
