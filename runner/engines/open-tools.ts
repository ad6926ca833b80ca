import type { EventOf } from '../../protocol/engine-event.ts';
import { ownEntry } from '../acts/own.ts';
import { type ActHandle, endActs, type ToolOutcome } from './acts.ts';
import { type Draft, emit, patch, without } from './draft.ts';
import { capEnds } from './text-cap.ts';

/** The tool calls under way, by id, as a parser keeps them. */
export type OpenTools = {
  tools: Readonly<Record<string, { startedAt: number; acts: readonly ActHandle[] }>>;
};

export type ToolEnd = Pick<EventOf<'tool/ended'>, 'outcome' | 'exitCode'> & {
  output?: string;
  files?: EventOf<'tool/ended'>['files'];
  /** What the end means for the acts of the call, where that is another thing. */
  acts?: ToolOutcome;
};

/** A call has ended: what it gave, how long it took, and what that proves of its acts. */
export function endTool(draft: Draft<OpenTools>, toolId: string, end: ToolEnd): void {
  const tool = ownEntry(draft.state.tools, toolId);
  if (!tool) return;
  const { outcome, exitCode, output: text = '', files = [], acts = outcome } = end;
  const output = capEnds(text);
  if (output.truncated) draft.items.push({ kind: 'output', toolId, text });
  const durationMs = Math.max(0, draft.at - tool.startedAt);
  emit(draft, { type: 'tool/ended', toolId, outcome, exitCode, output, files, durationMs });
  endActs(draft, tool.acts, acts);
  patch(draft, { tools: without(draft.state.tools, toolId) });
}

/** Closes the calls that the end of the process left open. */
export function closeTools(draft: Draft<OpenTools>, outcome: 'interrupted' | 'unknown'): void {
  for (const toolId of Object.keys(draft.state.tools))
    endTool(draft, toolId, { outcome, exitCode: null });
}
