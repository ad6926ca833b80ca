import { ownEntry } from '../../acts/own.ts';
import { capEnds, capHead } from '../text-cap.ts';
import { parseFileDiffs } from './diffs.ts';
import { type ResultBlock, resultBlock, shellResult, type UserLine } from './lines.ts';
import { endActs, seeActs, type ToolOutcome } from '../acts.ts';
import { emit, patch, without } from '../draft.ts';
import type { Draft, OpenTool } from './state.ts';
import { summarise } from '../summary.ts';
import { planOf, shellCommandOf } from './summary.ts';

export type ToolStart = { toolId: string; name: string; input: unknown; parent: string | null };

/** A tool call begins, and with it the acts that its command line would commit. */
export function startTool(draft: Draft, { toolId, name, input, parent }: ToolStart): void {
  if (ownEntry(draft.state.tools, toolId)) return;
  const turnId = draft.state.open?.turnId ?? null;
  emit(draft, {
    type: 'tool/started',
    turnId,
    toolId,
    parentToolId: parent,
    name,
    summary: summarise(name, input),
    input: capHead(JSON.stringify(input ?? {}, null, 2)),
  });
  const command = shellCommandOf(name, input);
  const acts = seeActs(draft, { scope: draft.state.engineSessionId, toolId, turnId, command });
  const { open, tools } = draft.state;
  patch(draft, {
    tools: {
      ...tools,
      [toolId]: {
        name,
        parent,
        startedAt: draft.at,
        denied: false,
        waiting: isAskedAbout(draft, toolId),
        plan: planOf(name, input),
        acts,
      },
    },
    open: open && { ...open, acts: open.acts + acts.length },
  });
}

/** The results that a line of the engine's own side of the conversation brings. */
export function readToolResults(draft: Draft, line: UserLine): void {
  if (typeof line.message.content === 'string') return;
  for (const raw of line.message.content) {
    const block = resultBlock.safeParse(raw);
    const tool = block.success ? ownEntry(draft.state.tools, block.data.tool_use_id) : undefined;
    if (block.success && tool) finishTool(draft, tool, block.data, line);
  }
}

function finishTool(draft: Draft, tool: OpenTool, block: ResultBlock, line: UserLine): void {
  const toolId = block.tool_use_id;
  const failed = block.is_error === true;
  const meta = line.tool_result_meta?.find((entry) => entry.id === toolId);
  const shell = shellResult.safeParse(line.tool_use_result);
  const rejected =
    Boolean(meta?.non_execution_kind) && meta?.non_execution_kind !== 'user-rejected';
  const interrupting =
    draft.state.open?.interrupting === true || line.tool_use_result === 'User rejected tool use';
  const outcome = decideToolOutcome({
    failed,
    denied: tool.denied || (failed && rejected),
    interrupted: (failed && interrupting) || (shell.success && shell.data.interrupted),
  });
  const background = shell.success && Boolean(shell.data.backgroundTaskId);
  const output = outputText(block.content);
  const capped = capEnds(output);
  if (capped.truncated) draft.items.push({ kind: 'output', toolId, text: output });
  emit(draft, {
    type: 'tool/ended',
    toolId,
    outcome,
    exitCode:
      shellCommandOf(tool.name, { command: '' }) === null || background
        ? null
        : exitCodeOf(outcome, output),
    output: capped,
    files: failed ? [] : parseFileDiffs(line.tool_use_result),
    durationMs: Math.max(0, draft.at - tool.startedAt),
  });
  patch(draft, { tools: without(draft.state.tools, toolId) });
  if (background) patch(draft, { background: { ...draft.state.background, [toolId]: tool.acts } });
  else endActs(draft, tool.acts, proofOf(tool, outcome));
}

function decideToolOutcome(facts: {
  failed: boolean;
  denied: boolean;
  interrupted: boolean;
}): ToolOutcome {
  if (facts.denied) return 'denied';
  if (facts.interrupted) return 'interrupted';
  return facts.failed ? 'failed' : 'ok';
}

/** A call that was never allowed did nothing, however its turn came to an end. */
const proofOf = (tool: OpenTool, outcome: ToolOutcome): ToolOutcome =>
  tool.waiting && outcome !== 'ok' ? 'denied' : outcome;

/** The engine's own rules refuse a call: its result will not be a failure of the tool. */
export function denyTool(draft: Draft, toolId: string): void {
  const tool = ownEntry(draft.state.tools, toolId);
  if (!tool) return;
  patch(draft, { tools: { ...draft.state.tools, [toolId]: { ...tool, denied: true } } });
}

const isAskedAbout = (draft: Draft, toolId: string): boolean =>
  Object.values(draft.state.approvals).some(
    (approval) => approval.toolId === toolId && approval.answered !== 'allow',
  );

/** Whether a call waits for a person: from the request until it is allowed. */
export function setWaiting(draft: Draft, toolId: string | null, waiting: boolean): void {
  const tool = toolId === null ? undefined : ownEntry(draft.state.tools, toolId);
  if (!tool || toolId === null) return;
  patch(draft, { tools: { ...draft.state.tools, [toolId]: { ...tool, waiting } } });
}

/** A command in the background ended: now its acts are known. */
export function finishBackground(draft: Draft, toolId: string, status: string | null): void {
  const acts = ownEntry(draft.state.background, toolId);
  if (!acts) return;
  const outcome: ToolOutcome =
    status === 'completed' ? 'ok' : status === 'failed' ? 'failed' : 'unknown';
  endActs(draft, acts, outcome);
  patch(draft, { background: without(draft.state.background, toolId) });
}

/** Closes what was under way when the process or the turn ended without a result. */
export function closeTools(
  draft: Draft,
  outcome: 'interrupted' | 'unknown',
  which: 'all' | 'own' = 'all',
): void {
  for (const [toolId, tool] of Object.entries(draft.state.tools)) {
    // A subagent in the background works on when the turn that began it is over.
    if (which === 'own' && tool.parent !== null) continue;
    const durationMs = Math.max(0, draft.at - tool.startedAt);
    emit(draft, {
      type: 'tool/ended',
      toolId,
      outcome: tool.waiting ? 'interrupted' : outcome,
      exitCode: null,
      output: capEnds(''),
      files: [],
      durationMs,
    });
    endActs(draft, tool.acts, proofOf(tool, 'unknown'));
    patch(draft, { tools: without(draft.state.tools, toolId) });
  }
}

/** The engine has no field for a failed command's status: it heads the output. */
function exitCodeOf(outcome: ToolOutcome, output: string): number | null {
  if (outcome === 'ok') return 0;
  const match = /^Exit code (\d{1,3})\b/.exec(output);
  return outcome === 'failed' && match ? Number(match[1]) : null;
}

function outputText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null) return '';
      if ('text' in part && typeof part.text === 'string') return part.text;
      return 'type' in part && typeof part.type === 'string' ? `[${part.type}]` : '';
    })
    .join('\n');
}
