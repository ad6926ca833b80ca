import { z } from 'zod';
import type { ReportedModel } from '../../../protocol/drive-report.ts';
import { estimateMicroUsd } from '../../../protocol/prices.ts';
import { parseJson } from '../../json.ts';
import { messageUsage } from './lines.ts';
import { addTokens, seeMessage, type SeenMessage } from './usage.ts';

const answerLine = z.looseObject({
  type: z.literal('assistant'),
  message: z.looseObject({ id: z.string(), model: z.string().min(1), usage: messageUsage }),
});

/** What claude puts in place of an answer that no model gave: an error, an interruption. */
const NO_MODEL = '<synthetic>';

/**
 * What the messages of a conversation's file used, per model. A message stands there once for each
 * of its parts, with counts that only grow, so that each is counted once; `known` are those that
 * began before the part that is read. Dollars are list prices, and null for a model without one.
 * Pure. A line that is not whole yet is left out.
 */
export function readTranscript(text: string, known: ReadonlySet<string>): ReportedModel[] {
  const seen = new Map<string, SeenMessage>();
  for (const { id, model, usage } of messagesIn(text)) {
    if (known.has(id) || model === NO_MODEL) continue;
    seen.set(id, seeMessage(seen.get(id), model, usage));
  }
  const sums = new Map<string, SeenMessage>();
  for (const message of seen.values())
    sums.set(message.model, addTokens(sums.get(message.model), message));
  return [...sums.values()].map((sum) => ({ ...sum, microUsd: estimateMicroUsd(sum.model, sum) }));
}

/** The messages that a part of a conversation's file tells of, by id. Pure. */
export const messageIdsIn = (text: string): Set<string> =>
  new Set([...messagesIn(text)].map(({ id }) => id));

function* messagesIn(text: string) {
  for (const line of text.split('\n')) {
    if (!line.includes('"assistant"')) continue;
    const parsed = answerLine.safeParse(parseJson(line));
    if (parsed.success) yield parsed.data.message;
  }
}
