import { z } from 'zod';
import type { FileDiff } from '../../../protocol/engine-event.ts';
import { shellWord } from '../../../protocol/shell-word.ts';
import { ownEntry } from '../../acts/own.ts';
import { seeActs, type ToolOutcome } from '../acts.ts';
import { emit, patch, without } from '../draft.ts';
import { changedFile } from '../file-diff.ts';
import { endTool } from '../open-tools.ts';
import { completeBlock } from '../pieces.ts';
import { capHead, oneLine } from '../text-cap.ts';
import { diffContent, textContent, type ToolCall } from './messages.ts';
import type { Draft, OpenTool } from './state.ts';

/** The protocol's kinds of tools, in the words of the product. */
const NAMES: Readonly<Record<string, string>> = {
  execute: 'shell',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  read: 'read',
  search: 'search',
  fetch: 'fetch',
  think: 'think',
};

export const nameOf = ({ kind, title }: ToolCall): string =>
  ownEntry(NAMES, kind ?? '') ?? oneLine(title || 'tool', 60);

/** The command line of a call that runs one: its input says it, or, where there is none, its title. */
export function commandOf({ kind, title, rawInput }: ToolCall): string | null {
  if (kind !== 'execute') return null;
  if (typeof rawInput !== 'object' || rawInput === null) return title ?? null;
  return 'command' in rawInput ? lineOf(rawInput.command) : null;
}

const argv = z.array(z.string()).min(1);

/** Agents tell a command as a line, or as the words of a process, which may be a shell with a line. */
function lineOf(command: unknown): string | null {
  if (typeof command === 'string') return command;
  const words = argv.safeParse(command);
  return words.success ? words.data.map(shellWord).join(' ') : null;
}

/** One line that says what the call does. */
export const summaryOf = (call: ToolCall): string =>
  oneLine(
    commandOf(call) ?? call.locations?.map(({ path }) => path).join(', ') ?? call.title ?? '',
  ) || nameOf(call);

/** What a call was asked for with, as a person reads it. */
export function inputOf(call: ToolCall): string {
  const command = commandOf(call);
  const { rawInput, locations, title } = call;
  const diffs = diffsOf(call);
  if (diffs.length > 0)
    return diffs.map(({ path, change, patch }) => `${change} ${path}\n${patch.text}`).join('\n');
  if (command !== null && rawInput === undefined) return JSON.stringify({ command }, null, 2);
  return JSON.stringify(rawInput ?? { title, locations: locations ?? undefined }, null, 2);
}

const diffsOf = ({ content }: ToolCall): FileDiff[] =>
  (content ?? []).flatMap((part) => {
    const diff = part.type === 'diff' ? diffContent.safeParse(part) : null;
    return diff?.success ? [changedFile(diff.data)] : [];
  });

/**
 * A tool call is told. Some agents announce it before they know what it would do: it begins with
 * the first word that says more, which may be the request to allow it.
 */
export function readToolCall(draft: Draft, told: ToolCall): void {
  const id = told.toolCallId;
  if (draft.state.ended.includes(id)) return;
  const known = ownEntry(draft.state.announced, id);
  const call = known ? merge(known, told) : told;
  const open = ownEntry(draft.state.tools, id);
  if (!open && !known && told.status === 'pending') {
    patch(draft, { announced: { ...draft.state.announced, [id]: call } });
    return;
  }
  if (!open) startTool(draft, call);
  update(draft, id, call);
  if (call.status === 'completed' || call.status === 'failed') finish(draft, id, call);
}

function merge(before: ToolCall, now: ToolCall): ToolCall {
  const told = Object.entries(now).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(told) };
}

/** A request to allow a call may be the first that is heard of it. */
export function startAsked(draft: Draft, asked: ToolCall): ToolCall {
  const known = ownEntry(draft.state.announced, asked.toolCallId);
  const call = known ? merge(known, asked) : asked;
  if (!ownEntry(draft.state.tools, asked.toolCallId)) startTool(draft, call);
  // What a request shows beside its diff are words about the call, not what came of it.
  const diffs = call.content?.filter(({ type }) => type === 'diff');
  update(draft, asked.toolCallId, { ...call, content: diffs });
  return call;
}

function startTool(draft: Draft, call: ToolCall): void {
  completeBlock(draft);
  const { turn, tools, announced } = draft.state;
  const toolId = call.toolCallId;
  emit(draft, {
    type: 'tool/started',
    turnId: turn?.turnId ?? null,
    toolId,
    parentToolId: null,
    name: nameOf(call),
    summary: summaryOf(call),
    input: capHead(inputOf(call)),
  });
  const kind = call.kind ?? '';
  const open = { kind, command: null, startedAt: draft.at, acts: [], output: '', files: [] };
  patch(draft, {
    announced: without(announced, toolId),
    tools: { ...tools, [toolId]: open },
    turn: turn && { ...turn, spoke: true },
  });
}

/** Takes up what a call tells of itself; its acts as soon as its command is known. */
function update(draft: Draft, toolId: string, call: ToolCall): void {
  const tool = ownEntry(draft.state.tools, toolId);
  if (!tool) return;
  const { turn, sessionId, launchId } = draft.state;
  const kind = tool.kind || (call.kind ?? '');
  const command = tool.command ?? commandOf({ ...call, kind });
  const turnId = turn?.turnId ?? null;
  const scope = sessionId ?? launchId;
  const acts =
    tool.command === null ? seeActs(draft, { scope, toolId, turnId, command }) : tool.acts;
  const output = outputOf(call) ?? tool.output;
  // The request shows the whole file; the end of the call may show only the lines that changed.
  const files = tool.files.length > 0 ? tool.files : diffsOf(call);
  const changed: OpenTool = { ...tool, kind, command, acts, output, files };
  patch(draft, {
    tools: { ...draft.state.tools, [toolId]: changed },
    turn: turn && { ...turn, acts: turn.acts + (tool.command === null ? acts.length : 0) },
  });
}

function outputOf({ content }: ToolCall): string | null {
  const texts = (content ?? []).flatMap((part) => {
    const text = part.type === 'content' ? textContent.safeParse(part) : null;
    return text?.success ? [text.data.content.text] : [];
  });
  return texts.length > 0 ? texts.join('\n') : null;
}

function finish(draft: Draft, toolId: string, call: ToolCall): void {
  const tool = ownEntry(draft.state.tools, toolId);
  if (!tool) return;
  const exitCode = tool.kind === 'execute' ? exitCodeIn(call.rawOutput) : null;
  const denied = Object.values(draft.state.approvals).some(
    (approval) => approval.toolId === toolId && approval.answered === 'deny',
  );
  const outcome = denied ? 'denied' : decideOutcome(tool.kind, call.status ?? '', exitCode);
  const { output, files } = tool;
  const done = outcome === 'failed' ? [] : [...files];
  endCall(draft, toolId, { outcome, exitCode, output, files: done });
}

/** Ends a call; what is still told of it is passed over. */
export function endCall(
  draft: Draft,
  toolId: string,
  end: { outcome: ToolOutcome; exitCode: number | null; output?: string; files?: FileDiff[] },
): void {
  endTool(draft, toolId, end);
  patch(draft, { ended: [...draft.state.ended, toolId] });
}

/**
 * The protocol's `completed` says that the tool worked, not that the command did: without its exit
 * status nobody knows what came of it.
 */
function decideOutcome(kind: string, status: string, exitCode: number | null): ToolOutcome {
  if (status === 'failed') return 'failed';
  if (kind !== 'execute') return 'ok';
  if (exitCode === null) return 'unknown';
  return exitCode === 0 ? 'ok' : 'failed';
}

/** The exit status of a command, where agents put it in what they call their raw output. */
function exitCodeIn(rawOutput: unknown): number | null {
  if (typeof rawOutput !== 'object' || rawOutput === null) return null;
  const places = [rawOutput, 'metadata' in rawOutput ? rawOutput.metadata : null];
  for (const place of places) {
    if (typeof place !== 'object' || place === null) continue;
    const found = 'exitCode' in place ? place.exitCode : 'exit' in place ? place.exit : undefined;
    if (Number.isInteger(found)) return found as number;
  }
  return null;
}
