import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { DriveName } from '../../protocol/drive-report.ts';
import {
  targetIn,
  type ForeseenAct,
  type TerminalLooked,
  type terminalLookParams,
  type TerminalScope,
} from '../../protocol/terminal-command.ts';
import {
  backendOf,
  type TerminalAnswer,
  type TerminalCall,
  type TerminalPane,
  type TerminalTool,
  type TerminalValue,
} from '../../protocol/terminal.ts';
import { classifyCommand } from '../acts/classify.ts';
import { decideToolUse } from '../engines/tool-policy.ts';
import { writtenBy } from './written.ts';

/**
 * The one way to a terminal, with the machine's own limits behind it. `drive` names whose call it
 * is, where it may start something.
 */
export type TerminalDoor = (
  call: TerminalCall,
  scope: TerminalScope,
  drive?: DriveName,
) => Promise<TerminalAnswer>;

const UNSEEN = { effect: 'ask', pattern: 'a line of the shell’s history or completion' } as const;

/** What a call would reach and do. Touches nothing, and tells nothing of what is not open. */
export async function lookAhead(
  { call, scope, rules }: z.infer<typeof terminalLookParams>,
  door: TerminalDoor,
): Promise<TerminalLooked> {
  const target = targetIn(call);
  const pane = target === null ? null : await findPane(target, scope, door);
  const screen = pane && (await readScreen(pane.target, scope, door));
  const { lines, unseen } = writtenBy(call, screen);
  const input = { commands: lines.map((command) => ({ command })) };
  const verdict = decideToolUse(rules, { name: call.tool, input });
  const ruled = verdict && { effect: verdict.effect, pattern: verdict.rule.pattern };
  return {
    pane,
    acts: actsOf(lines),
    ruled: unseen && ruled?.effect !== 'deny' ? UNSEEN : ruled,
    linesSha256: createHash('sha256').update(JSON.stringify(lines)).digest('hex'),
  };
}

/** The terminal of an id as a listing shows it; null where it is not there or not open. */
export async function findPane(
  target: string,
  scope: TerminalScope,
  door: TerminalDoor,
): Promise<TerminalPane | null> {
  if (target.includes(':$')) {
    const found = await ask(door, scope, { tool: 'tmux_list_sessions', params: {} });
    const [first, ...others] = found?.sessions.find((each) => each.target === target)?.panes ?? [];
    const agent = [first, ...others].find((pane) => pane?.agent)?.agent ?? null;
    return first ? { ...first, target, agent } : null;
  }
  const params = { backend: backendOf(target) };
  const found = await ask(door, scope, { tool: 'terminal_list', params });
  return found?.panes.find((pane) => pane.target === target) ?? null;
}

const readScreen = async (
  target: string,
  scope: TerminalScope,
  door: TerminalDoor,
): Promise<string | null> => {
  const params = { target, history: 0, search: null };
  return (await ask(door, scope, { tool: 'terminal_capture', params }))?.text ?? null;
};

/** The value of a read, or null where it was refused: what is not there has no facts. */
async function ask<T extends TerminalTool>(
  door: TerminalDoor,
  scope: TerminalScope,
  call: Extract<TerminalCall, { tool: T }>,
): Promise<TerminalValue[T] | null> {
  const answer = await door(call, scope);
  return answer.ok ? (answer.value as TerminalValue[T]) : null;
}

function actsOf(lines: readonly string[]): ForeseenAct[] {
  const acts = lines
    .flatMap((line) => classifyCommand(line))
    .map(({ kind, command, target, uncertain }) => ({ kind, command, target, uncertain }));
  return [...new Map(acts.map((act) => [JSON.stringify(act), act])).values()];
}
