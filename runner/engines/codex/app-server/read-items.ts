import { patch, without } from '../../draft.ts';
import { ignoreUnknown } from '../../ignored.ts';
import { capHead } from '../../text-cap.ts';
import { readSaid, speak } from '../parse.ts';
import { finishTool, parseCall, startTool } from '../tools.ts';
import { asExecItem } from './items.ts';
import { deltaTold, fileItem, itemTold, reasoningItem } from './messages.ts';
import type { Draft } from './state.ts';

/** Items that repeat what is known: our own words, and the marks of a hook or of a shorter memory. */
const PASSED_OVER = new Set([
  'userMessage',
  'hookPrompt',
  'contextCompaction',
  'plan',
  'sleep',
  'subAgentActivity',
  'collabAgentToolCall',
]);

/** Reads an item of this thread, or of one that works for it: its acts count as much. */
export function readItem(draft: Draft, params: unknown, stage: 'started' | 'completed'): boolean {
  const told = itemTold.safeParse(params);
  if (!told.success) return false;
  const { item } = told.data;
  if (PASSED_OVER.has(item.type)) return true;
  if (item.type === 'agentMessage' || item.type === 'reasoning')
    return stage === 'started' || readText(draft, item);
  const converted = asExecItem(item.type, item);
  const call = converted && parseCall(converted.type, converted.item);
  if (call === null) return false;
  if (call === undefined) {
    ignoreUnknown(draft, `item/${item.type}`);
    return true;
  }
  speak(draft);
  if (stage === 'started') {
    startTool(draft, item.id, call);
    keepChange(draft, item.id, item);
  } else {
    finishTool(draft, item.id, call);
    patch(draft, { changes: without(draft.state.changes, item.id) });
  }
  return true;
}

/** The request for a change names its item alone: what it would change is told before. */
function keepChange(draft: Draft, itemId: string, item: unknown): void {
  const parsed = fileItem.safeParse(item);
  if (!parsed.success) return;
  const { changes } = parsed.data;
  const shown = capHead(
    changes.map(({ path, kind, diff }) => `${kind.type} ${path}\n${diff ?? ''}`).join('\n'),
  ).text;
  const change = { paths: changes.map(({ path }) => path), shown };
  patch(draft, { changes: { ...draft.state.changes, [itemId]: change } });
}

function readText(draft: Draft, item: { id: string; type: string }): boolean {
  patch(draft, { offsets: without(draft.state.offsets, item.id) });
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
  const { turn, launchId, offsets } = draft.state;
  const offset = offsets[itemId] ?? 0;
  patch(draft, { offsets: { ...offsets, [itemId]: offset + delta.length } });
  draft.items.push({
    kind: 'delta',
    delta: {
      turnId: turn?.turnId ?? null,
      blockId: `${launchId}.${itemId}`,
      parentToolId: null,
      kind,
      offset,
      text: delta,
    },
  });
  return true;
}
