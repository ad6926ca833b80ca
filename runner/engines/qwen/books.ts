import { join } from 'node:path';
import { z } from 'zod';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { ownEntry } from '../../acts/own.ts';
import { parseJson } from '../../json.ts';
import type { BookedConversation, Look, TerminalBooks } from '../terminal-books.ts';
import { qwenHome } from './home.ts';
import { type Counts, NOTHING, type QwenState } from './state.ts';
import { add, entryOf, isCount, isNothing, subtract, UNNAMED_MODEL } from './usage.ts';

/** How much of a conversation's file is read: bytes. A longer one cannot be summed up. */
const FILE_BYTES = 64 * 1024 * 1024;

const count = z.int().nonnegative();
const response = z.object({
  systemPayload: z.object({
    uiEvent: z.object({
      'event.name': z.literal('qwen-code.api_response'),
      model: z.string(),
      input_token_count: count,
      output_token_count: count,
      cached_content_token_count: count,
    }),
  }),
});

/** What the calls of a conversation came to, by model; null where its file was not read whole. */
const books = z.object({
  models: z.record(z.string(), z.object({ input: count, output: count, cached: count })).nullable(),
});
type Booked = NonNullable<z.infer<typeof books>['models']>;

/** Qwen keeps each answer's figures in the file of its conversation, whichever process asked. */
async function read(
  look: Look,
  { engineSessionId }: BookedConversation,
  env: NodeJS.ProcessEnv,
): Promise<z.infer<typeof books>> {
  const projects = join(qwenHome(env), 'projects');
  for (const project of await look.list(projects)) {
    const path = join(projects, project, 'chats', `${engineSessionId}.jsonl`);
    const file = await look.tail(path, FILE_BYTES);
    if (file) return { models: file.from === 0 ? sumUp(file.text) : null };
  }
  return { models: null };
}

function sumUp(text: string): Booked {
  const models = new Map<string, Counts>();
  for (const line of text.split('\n')) {
    if (!line.includes('qwen-code.api_response')) continue;
    const parsed = response.safeParse(parseJson(line));
    if (!parsed.success) continue;
    const { model, ...told } = parsed.data.systemPayload.uiEvent;
    const before = models.get(model) ?? NOTHING;
    const counts = add(before, {
      input: told.input_token_count,
      output: told.output_token_count,
      cached: told.cached_content_token_count,
    });
    models.set(model, counts);
  }
  return Object.fromEntries(models);
}

/** What a person spent in its terminal, from the figures that it writes down after each answer. */
export const qwenBooks: TerminalBooks<QwenState> = {
  read,
  settle(state, rawBefore, rawAfter) {
    const before = books.safeParse(rawBefore).data?.models;
    const after = books.safeParse(rawAfter).data?.models;
    const payer = state?.payer ?? 'unknown';
    const spent = before && after ? differences(before, after) : null;
    if (!spent) {
      const model = state?.model ?? UNNAMED_MODEL;
      const entry = { ...entryOf(model, NOTHING, payer), provenance: 'unsettled', microUsd: null };
      // What the total has by then, nobody knows any more.
      const goesOn = state && { ...state, counted: null };
      return { state: goesOn, entries: [entry as UsageEntry], usage: 'unsettled' };
    }
    // Its terminal also asks a model what could be said next, which is written down nowhere (seen on
    // 0.24.4): this is the least that it can have cost.
    const entries = spent.map(([model, counts]): UsageEntry => ({
      ...entryOf(model, counts, payer),
      provenance: 'unsettled',
    }));
    const total = spent.reduce((sum, [, counts]) => add(sum, counts), NOTHING);
    const goesOn = state && { ...state, counted: state.counted && add(state.counted, total) };
    return { state: goesOn, entries, usage: entries.length > 0 ? 'unsettled' : 'none' };
  },
};

/** By model; null where a figure went backward. */
function differences(before: Booked, after: Booked): [string, Counts][] | null {
  const all = Object.entries(after).map(([model, counts]): [string, Counts] => [
    model,
    subtract(counts, ownEntry(before, model) ?? NOTHING),
  ]);
  return all.every(([, counts]) => isCount(counts))
    ? all.filter(([, counts]) => !isNothing(counts))
    : null;
}
