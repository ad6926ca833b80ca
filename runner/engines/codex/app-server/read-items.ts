import { patch, without } from '../../draft.ts';
import { ignoreUnknown } from '../../ignored.ts';
import { capHead } from '../../text-cap.ts';
import { speak } from '../parse.ts';
import { finishTool, parseCall, startTool } from '../tools.ts';
import { asExecItem } from './items.ts';
import { fileItem, itemTold } from './messages.ts';
import type { Draft } from './state.ts';
import { readText } from './texts.ts';

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
  // The end of a call that was interrupted begins no further answer.
  if (stage === 'started' || !draft.state.turn?.interrupting) speak(draft);
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
