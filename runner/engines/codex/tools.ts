import type { FileDiff } from '../../../protocol/engine-event.ts';
import { ownEntry } from '../../acts/own.ts';
import { seeActs, type ToolOutcome } from '../acts.ts';
import { emit, patch } from '../draft.ts';
import { endTool } from '../open-tools.ts';
import { createdFile, deletedFile, editedFile } from '../file-diff.ts';
import { capHead, oneLine } from '../text-cap.ts';
import { commandItem, fileItem, mcpItem, searchItem } from './lines.ts';
import type { Draft } from './state.ts';

/** What a tool item says, in the product's words; `output` counts when it is complete. */
export type Call = {
  name: string;
  summary: string;
  input: unknown;
  command: string | null;
  outcome: ToolOutcome;
  exitCode: number | null;
  output: string;
  files: FileDiff[];
};

/** Reads a tool item by its type. Undefined: no tool of a known kind; null: not its shape. */
export function parseCall(type: string, item: unknown): Call | null | undefined {
  return ownEntry(KINDS, type)?.(item);
}

const KINDS: Readonly<Record<string, (item: unknown) => Call | null>> = {
  command_execution(item) {
    const parsed = commandItem.safeParse(item);
    if (!parsed.success) return null;
    const { command, aggregated_output: output, exit_code: exitCode = null, status } = parsed.data;
    const failed = exitCode !== null && exitCode !== 0;
    return {
      name: 'shell',
      summary: oneLine(innerCommand(command)),
      input: { command: innerCommand(command) },
      command,
      outcome: failed ? 'failed' : outcomeOf(status),
      exitCode,
      output,
      files: [],
    };
  },
  file_change(item) {
    const parsed = fileItem.safeParse(item);
    if (!parsed.success) return null;
    const { changes, status } = parsed.data;
    const told = changes.map(({ path, kind }) => `${kind} ${path}`).join('\n');
    return {
      name: 'apply_patch',
      summary: oneLine(changes.map(({ path }) => path).join(', ')),
      input: { changes: changes.map(({ path, kind }) => ({ path, kind })) },
      command: null,
      outcome: outcomeOf(status),
      exitCode: null,
      output: told,
      // Without the text of a change its size is unknown: it is told as a name, not as a diff.
      files: changes.flatMap(({ path, kind, diff }) => (diff ? [diffOf(path, kind, diff)] : [])),
    };
  },
  mcp_tool_call(item) {
    const parsed = mcpItem.safeParse(item);
    if (!parsed.success) return null;
    const { server, tool, arguments: input, result, error, status } = parsed.data;
    const output = error
      ? error.message
      : result === undefined || result === null
        ? ''
        : JSON.stringify(result);
    return {
      name: `${server}.${tool}`,
      summary: oneLine(JSON.stringify(input ?? {})),
      input,
      command: null,
      outcome: error ? 'failed' : outcomeOf(status),
      exitCode: null,
      output,
      files: [],
    };
  },
  web_search(item) {
    const parsed = searchItem.safeParse(item);
    if (!parsed.success) return null;
    const { query } = parsed.data;
    return {
      name: 'web_search',
      summary: oneLine(query) || 'web search',
      input: { query },
      command: null,
      outcome: 'ok',
      exitCode: null,
      output: '',
      files: [],
    };
  },
};

function outcomeOf(status: string): ToolOutcome {
  if (status === 'declined') return 'denied';
  if (status === 'failed') return 'failed';
  return status === 'completed' ? 'ok' : 'unknown';
}

function diffOf(path: string, kind: string, diff: string): FileDiff {
  // `exec` tells no text of a file that it adds; the app-server tells it bare, without hunks.
  if (kind === 'add' && !diff.startsWith('@@')) return createdFile(path, diff);
  if (kind === 'delete' && !diff.startsWith('@@')) return deletedFile(path, diff);
  const change = kind === 'add' ? 'created' : kind === 'delete' ? 'deleted' : 'edited';
  return { ...editedFile(path, diff), change };
}

/**
 * What the model asked for: codex shows it inside the shell call that runs it, quoted as shlex
 * does: bare where nothing needs a quote, in double quotes where it holds a single one.
 */
export function innerCommand(command: string): string {
  const match = /^\S+ -l?c (?:'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+))$/s.exec(command);
  if (!match) return command;
  const [, single, double, bare] = match;
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? bare ?? command;
}

/** Item ids count from 0 in each process; the launch's id makes them the conversation's own. */
export const toolIdOf = (draft: Draft, itemId: string): string =>
  `${draft.state.launchId}.${itemId}`;

/** A tool call begins, and with it the acts that its command line would commit. */
export function startTool(draft: Draft, itemId: string, call: Call): void {
  const toolId = toolIdOf(draft, itemId);
  const { turn, tools, threadId, launchId } = draft.state;
  if (ownEntry(tools, toolId)) return;
  emit(draft, {
    type: 'tool/started',
    turnId: turn?.turnId ?? null,
    toolId,
    parentToolId: null,
    name: call.name,
    summary: call.summary,
    input: capHead(JSON.stringify(call.input ?? {}, null, 2)),
  });
  const acts = seeActs(draft, {
    scope: threadId ?? launchId,
    toolId,
    turnId: turn?.turnId ?? null,
    command: call.command,
  });
  patch(draft, {
    tools: { ...tools, [toolId]: { startedAt: draft.at, acts } },
    turn: turn && { ...turn, acts: turn.acts + acts.length },
  });
}

/** A tool call is complete. One that never began is told from its beginning. */
export function finishTool(draft: Draft, itemId: string, call: Call): void {
  startTool(draft, itemId, call);
  endTool(draft, toolIdOf(draft, itemId), call);
}
