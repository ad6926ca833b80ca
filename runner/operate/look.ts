import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import type { z } from 'zod';
import {
  directoryOf,
  targetIn,
  type ForeseenAct,
  type TerminalLooked,
  type terminalLookParams,
  type TerminalScope,
} from '../../protocol/terminal-command.ts';
import { classifyCommand } from '../acts/classify.ts';
import { foresee } from '../acts/foresee.ts';
import { BLIND, type Look } from '../acts/sight.ts';
import { decideToolUse } from '../engines/tool-policy.ts';
import { lookAround } from '../guard/look-in.ts';
import { findPane, readThrough, type TerminalDoor } from '../terminal-door.ts';
import { writtenBy } from './written.ts';

const UNSEEN = { effect: 'ask', pattern: 'a line of the shell’s history or completion' } as const;

/**
 * What a call would reach and do, with the scripts and tasks that its line would run from where it
 * would run. Touches nothing, and tells nothing of what is not open.
 */
export async function lookAhead(
  { call, scope, rules }: z.infer<typeof terminalLookParams>,
  door: TerminalDoor,
): Promise<TerminalLooked> {
  const target = targetIn(call);
  const pane = target === null ? null : await findPane(target, scope, door);
  const screen = pane && (await readScreen(pane.target, scope, door));
  // What names no terminal makes one, which begins in the home where it is told no other place.
  const directory = target === null ? (directoryOf(call) ?? homedir()) : (pane?.directory ?? null);
  const { lines, unseen } = writtenBy(call, screen);
  const input = { commands: lines.map((command) => ({ command })) };
  const verdict = decideToolUse(rules, { name: call.tool, input });
  const ruled = verdict && { effect: verdict.effect, pattern: verdict.rule.pattern };
  return {
    pane,
    acts: actsOf(lines, directory === null ? BLIND : lookAround(directory)),
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

function actsOf(lines: readonly string[], look: Look): ForeseenAct[] {
  const acts = lines.flatMap((line) => classifyCommand(line, look)).map(foresee);
  return [...new Map(acts.map((act) => [JSON.stringify(act), act])).values()];
}
