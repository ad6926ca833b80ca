import { ownEntry } from '../../../acts/own.ts';
import { emit, patch, without } from '../../draft.ts';
import { capHead } from '../../text-cap.ts';
import { readSaid, speak } from '../parse.ts';
import { deltaTold, reasoningItem } from './messages.ts';
import type { Draft } from './state.ts';

/** Characters of an unfinished text that are kept: they are stored with every line that is read. */
const KEPT_CHARS = 16_000;

/** A text is whole. */
export function readText(draft: Draft, item: { id: string; type: string }): boolean {
  patch(draft, { texts: without(draft.state.texts, item.id) });
  if (item.type === 'agentMessage') return readSaid(draft, item.id, 'agent_message', item);
  const parsed = reasoningItem.safeParse(item);
  if (!parsed.success) return false;
  const text = parsed.data.summary.join('\n\n');
  // Most models keep their reasoning to themselves: there is nothing to show.
  return text === '' || readSaid(draft, item.id, 'reasoning', { text });
}

/** Text on its way, of this thread alone: a helper's words are shown when they are complete. */
export function readDelta(draft: Draft, params: unknown, kind: 'answer' | 'thinking'): boolean {
  const told = deltaTold.safeParse(params);
  if (!told.success) return false;
  const { threadId, itemId, delta } = told.data;
  speak(draft);
  if (threadId !== draft.state.threadId) return true;
  const { turn, launchId, texts } = draft.state;
  const { text, chars } = ownEntry(texts, itemId) ?? { text: '', chars: 0 };
  const kept = text + delta.slice(0, KEPT_CHARS - text.length);
  patch(draft, {
    texts: { ...texts, [itemId]: { kind, text: kept, chars: chars + delta.length } },
  });
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: turn?.turnId ?? null,
      blockId: `${launchId}.${itemId}`,
      parentToolId: null,
      kind,
      offset: chars,
      text: delta,
    },
  });
  return true;
}

/** The turn is over: a text that was cut off stays as far as it came, for nobody tells it again. */
export function keepCutTexts(draft: Draft): void {
  const { turn, launchId, texts } = draft.state;
  for (const [itemId, { kind, text, chars }] of Object.entries(texts)) {
    const left = chars - text.length;
    emit(draft, {
      type: 'text/completed',
      turnId: turn?.turnId ?? null,
      blockId: `${launchId}.${itemId}`,
      parentToolId: null,
      kind,
      text: capHead(left > 0 ? `${text}\n… ${left} more characters were not kept …\n` : text),
    });
  }
  patch(draft, { texts: {} });
}
