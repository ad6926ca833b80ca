import { createHash } from 'node:crypto';
import type { z } from 'zod';
import {
  targetIn,
  type ForeseenAct,
  type TerminalLooked,
  type terminalLookParams,
  type TerminalScope,
} from '../../protocol/terminal-command.ts';
import { classifyCommand } from '../acts/classify.ts';
import { decideToolUse } from '../engines/tool-policy.ts';
import { findPane, readThrough, type TerminalDoor } from '../terminal-door.ts';
import { writtenBy } from './written.ts';

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

const readScreen = async (
  target: string,
  scope: TerminalScope,
  door: TerminalDoor,
): Promise<string | null> => {
  const params = { target, history: 0, search: null };
  return (await readThrough(door, scope, { tool: 'terminal_capture', params }))?.text ?? null;
};

function actsOf(lines: readonly string[]): ForeseenAct[] {
  const acts = lines
    .flatMap((line) => classifyCommand(line))
    .map(({ kind, command, target, uncertain }) => ({ kind, command, target, uncertain }));
  return [...new Map(acts.map((act) => [JSON.stringify(act), act])).values()];
}
