import { tokensOf } from '../../../protocol/figures.ts';
import { ownEntry } from '../../acts/own.ts';
import type { MessageUsage } from './lines.ts';
import { patch } from '../draft.ts';
import type { ClaudeState, Draft } from './state.ts';
import { addTokens, seeMessage, type SeenMessage, unsettledRemainder } from './usage.ts';

/** How many ids of messages are remembered: a repeated one comes soon or never. */
const REMEMBERED = 200;
/** Messages kept one by one; the state of a turn is stored at each chunk of output, however long it is. */
const KEPT_APART = 16;

/** Takes note of what a line says about the usage of its message. */
export function see(draft: Draft, messageId: string, model: string, usage: MessageUsage): void {
  const { state } = draft;
  if (state.settled.includes(messageId)) return;
  const before = ownEntry(state.seen, messageId);
  const seen = seeMessage(before, model, usage);
  // Most lines repeat what is known; the messages of a turn are not copied for each of them.
  if (seen === before) return;
  patch(draft, { seen: { ...state.seen, [messageId]: seen } });
  if (Object.keys(draft.state.seen).length > KEPT_APART) fold(draft, messageId);
  if (!state.rehearsal) draft.items.push({ kind: 'estimate', ...estimateSeen(draft.state) });
}

/** The usage seen since the last result: of messages, and of what many of them add up to. */
export function listSeen(state: ClaudeState): readonly SeenMessage[] {
  return [...Object.values(state.seen), ...Object.values(state.folded)];
}

/** What was seen and not recorded, at list prices; a model without a known price adds no dollars. */
function estimateSeen(state: ClaudeState): { microUsd: number; tokens: number } {
  return unsettledRemainder(listSeen(state), {}).reduce(
    (sum, entry) => ({
      microUsd: sum.microUsd + (entry.microUsd ?? 0),
      tokens: sum.tokens + tokensOf(entry),
    }),
    { microUsd: 0, tokens: 0 },
  );
}

/** What was seen is recorded: it counts no more. */
export function settleSeen(draft: Draft): void {
  const settled = remember(draft.state, Object.keys(draft.state.seen));
  patch(draft, { seen: {}, folded: {}, settled });
}

/** Adds up the messages that no speaker is at any more: their lines are all there. `latest` has just begun. */
function fold(draft: Draft, latest: string): void {
  const { seen, streams } = draft.state;
  const current = new Set([latest, ...Object.values(streams).map(({ messageId }) => messageId)]);
  const kept: Record<string, SeenMessage> = {};
  const folded = { ...draft.state.folded };
  const done: string[] = [];
  for (const [id, message] of Object.entries(seen)) {
    if (current.has(id)) {
      kept[id] = message;
      continue;
    }
    folded[message.model] = addTokens(ownEntry(folded, message.model), message);
    done.push(id);
  }
  patch(draft, { seen: kept, folded, settled: remember(draft.state, done) });
}

function remember({ settled }: ClaudeState, ids: readonly string[]): string[] {
  return [...settled, ...ids].slice(-REMEMBERED);
}
