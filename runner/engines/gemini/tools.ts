import { ownEntry } from '../../acts/own.ts';
import { seeActs } from '../acts.ts';
import { emit, patch } from '../draft.ts';
import { endTool, type ToolEnd } from '../open-tools.ts';
import { summarise } from '../summary.ts';
import { capHead } from '../text-cap.ts';
import type { ToolResultLine } from './lines.ts';
import type { Draft } from './state.ts';

const SHELL = 'run_shell_command';

/** A tool call begins, and with it the acts that its command line would commit. */
export function startTool(draft: Draft, toolId: string, name: string, input: unknown): void {
  if (ownEntry(draft.state.tools, toolId)) return;
  const { open, engineSessionId: scope } = draft.state;
  const turnId = open?.turnId ?? null;
  emit(draft, {
    type: 'tool/started',
    turnId,
    toolId,
    parentToolId: null,
    name,
    summary: summarise(name, input),
    input: capHead(JSON.stringify(input ?? {}, null, 2)),
  });
  const acts = seeActs(draft, { scope, toolId, turnId, command: shellCommandOf(name, input) });
  patch(draft, {
    tools: { ...draft.state.tools, [toolId]: { name, startedAt: draft.at, acts } },
    open: open && { ...open, acts: open.acts + acts.length },
  });
}

function shellCommandOf(name: string, input: unknown): string | null {
  if (name !== SHELL || typeof input !== 'object' || input === null) return null;
  return 'command' in input && typeof input.command === 'string' ? input.command : null;
}

export function finishTool(draft: Draft, line: ToolResultLine): void {
  const tool = ownEntry(draft.state.tools, line.tool_id);
  if (!tool) return;
  const output = line.output ?? line.error?.message ?? '';
  endTool(draft, line.tool_id, { ...decideEnd(tool.name, line), output });
}

/** Error types of a call that was turned down before anything ran. */
const NEVER_RAN = new Set(['tool_not_registered', 'invalid_tool_params', 'policy_violation']);

/**
 * What the end of a call says. The status of a shell command is `success` whatever the command's
 * exit status was; the output tells that status only where there is no other output.
 */
function decideEnd(name: string, { status, output, error }: ToolResultLine): ToolEnd {
  if (error?.type === 'policy_violation') return { outcome: 'denied', exitCode: null };
  if (error && NEVER_RAN.has(error.type))
    return { outcome: 'failed', exitCode: null, acts: 'denied' };
  if (status !== 'success')
    return { outcome: 'failed', exitCode: null, ...(name === SHELL && { acts: 'unknown' }) };
  if (name !== SHELL) return { outcome: 'ok', exitCode: null };
  if (!output) return { outcome: 'ok', exitCode: 0 };
  const told = /^Command exited with code: (\d{1,3})$/.exec(output);
  if (told) return { outcome: 'failed', exitCode: Number(told[1]) };
  if (output.startsWith('Command terminated by signal: '))
    return { outcome: 'failed', exitCode: null, acts: 'unknown' };
  if (/^Command (cancelled by user|was automatically cancelled)/.test(output))
    return { outcome: 'interrupted', exitCode: null };
  return { outcome: 'unknown', exitCode: null };
}
