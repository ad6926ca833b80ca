import { z } from 'zod';
import { ownEntry } from '../../acts/own.ts';
import { seeActs } from '../acts.ts';
import { emit, patch } from '../draft.ts';
import { endTool, type ToolEnd } from '../open-tools.ts';
import { summarise } from '../summary.ts';
import { capHead } from '../text-cap.ts';
import type { ToolResult } from './lines.ts';
import type { Draft, OpenTool } from './state.ts';

/** Tools that run a command line: one at once, one that goes on beside the conversation. */
const SHELLS: readonly string[] = ['run_shell_command', 'monitor'];

type Called = { name: string; input: unknown };

/** One of its tools calls another by name, which the model was not shown. */
const indirect = z.object({ name: z.string(), arguments: z.unknown() });

/** The tool that really runs, and with what. */
export function calledBy({ name, input }: Called): Called {
  const inner = name === 'tool_call' ? indirect.safeParse(input).data : undefined;
  return inner ? { name: inner.name, input: inner.arguments } : { name, input };
}

const commanding = z.object({ command: z.string() });
const beside = z.object({ is_background: z.literal(true) });

/** The command line that a call runs; null where it runs none. */
export const commandOf = (name: string, input: unknown): string | null =>
  SHELLS.includes(name) ? (commanding.safeParse(input).data?.command ?? null) : null;

/** A tool call begins, and with it the acts that its command line would commit. */
export function startTool(draft: Draft, call: Called & { id: string }): void {
  if (ownEntry(draft.state.tools, call.id)) return;
  const { open, engineSessionId: scope } = draft.state;
  const turnId = open?.turnId ?? null;
  const { name, input } = calledBy(call);
  emit(draft, {
    type: 'tool/started',
    turnId,
    toolId: call.id,
    parentToolId: null,
    name,
    summary: summarise(name, input),
    input: capHead(JSON.stringify(input ?? {}, null, 2)),
  });
  const command = commandOf(name, input);
  const acts = seeActs(draft, { scope, toolId: call.id, turnId, command });
  const background = name === 'monitor' || beside.safeParse(input).success;
  const tool = { name, startedAt: draft.at, acts, waiting: false, background };
  patch(draft, {
    tools: { ...draft.state.tools, [call.id]: tool },
    open: open && { ...open, acts: open.acts + acts.length },
  });
}

/** Whether a call waits for a person: from the request until it is allowed. */
export function setWaiting(draft: Draft, toolId: string | null, waiting: boolean): void {
  const tool = toolId === null ? undefined : ownEntry(draft.state.tools, toolId);
  if (!tool || toolId === null) return;
  patch(draft, { tools: { ...draft.state.tools, [toolId]: { ...tool, waiting } } });
}

export function finishTool(draft: Draft, result: ToolResult): void {
  const tool = ownEntry(draft.state.tools, result.tool_use_id);
  if (!tool) return;
  const output = textOf(result.content);
  // What nobody allowed has not run, however the engine words it.
  const end: ToolEnd = tool.waiting
    ? { outcome: 'denied', exitCode: null }
    : decideEnd(tool, output, result.is_error === true);
  endTool(draft, result.tool_use_id, { ...end, output });
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** Its own words for a call that a rule or the mode kept from running (seen on 0.24.4). */
const DECLINED =
  /^(Qwen Code requires permission to use .* declined|This "\w+" invocation was denied by permission rules)/s;
const EXIT = /^Exit Code: (\d{1,3})$/m;

/**
 * What the end of a call says. Of a command that failed the exit status stands at the end of its
 * output; one that did not is told by its output alone (seen on 0.24.4).
 */
function decideEnd({ name, background }: OpenTool, output: string, isError: boolean): ToolEnd {
  if (DECLINED.test(output)) return { outcome: 'denied', exitCode: null };
  if (!SHELLS.includes(name)) return { outcome: isError ? 'failed' : 'ok', exitCode: null };
  if (/^Command (was cancelled|timed out)/.test(output))
    return { outcome: 'interrupted', exitCode: null };
  // It goes on beside the conversation, and how it ends is told nowhere.
  if (background)
    return { outcome: isError ? 'failed' : 'unknown', exitCode: null, acts: 'unknown' };
  if (!isError) return { outcome: 'ok', exitCode: 0 };
  const told = lastExit(output);
  return told
    ? { outcome: 'failed', exitCode: told }
    : { outcome: 'failed', exitCode: null, acts: 'unknown' };
}

/** What the command itself wrote stands before, so that only the last one is the engine's. */
function lastExit(output: string): number | null {
  const at = output.lastIndexOf('\nExit Code: ');
  const told = at < 0 ? null : EXIT.exec(output.slice(at + 1));
  return told ? Number(told[1]) : null;
}
