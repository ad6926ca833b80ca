import { z } from 'zod';
import {
  ASKED_MAX_CHARS,
  type PaneQuestion,
  paneQuestionId,
} from '../../protocol/pane-question.ts';
import type { ForeseenAct } from '../../protocol/terminal-command.ts';
import { TOUCHES_MAX, TOUCHES_MAX_CHARS, type ToolTouches } from '../../protocol/tool-rules.ts';
import { classifyCommand } from '../acts/classify.ts';
import { foresee } from '../acts/foresee.ts';
import { BLIND, type Look } from '../acts/sight.ts';
import { touchesOf } from '../engines/tool-policy.ts';
import { parseJson } from '../json.ts';
import type { Redactor } from '../guard/redact.ts';

/** Longest line that a hook may send, in characters: a tool may be given a whole file to write. */
export const HOOK_MAX_CHARS = 8 * 1024 * 1024;

/** What the hook's program sends first. */
export const hookHello = z.object({
  token: z.string().max(1_000),
  id: paneQuestionId,
  engine: z.string().min(1).max(40),
  pid: z.int().positive(),
  /** What the agent gave it on its standard input. */
  hook: z.string(),
});

/** Source: code.claude.com/docs/en/hooks, PermissionRequest input. */
const hookInput = z.looseObject({
  hook_event_name: z.literal('PermissionRequest'),
  tool_name: z.string().min(1),
  tool_input: z.record(z.string(), z.unknown()),
  cwd: z.string().max(4096).optional(),
});

/** A file that a patch of codex adds, changes, deletes or moves another to. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/**
 * What an agent asks, for a person elsewhere to read and for the policy to be held to; null where the
 * hook's words cannot be read. `look` shows files that a command line would run. Pure but for that.
 */
export function readHook(
  engine: string,
  hook: string,
  redactor: Pick<Redactor, 'event'>,
  look: (directory: string) => Look,
): Pick<PaneQuestion, 'permission' | 'acts' | 'touches'> | null {
  const parsed = hookInput.safeParse(parseJson(hook));
  if (!parsed.success) return null;
  const { tool_name, tool_input, cwd } = parsed.data;
  const clean = redactor.event({ asks: tool_name, input: tool_input, directory: cwd ?? null });
  const json = JSON.stringify(clean.input);
  const permission = {
    engine,
    asks: clean.asks.slice(0, 200),
    input: json.slice(0, ASKED_MAX_CHARS),
    omitted: Math.max(0, json.length - ASKED_MAX_CHARS),
    directory: clean.directory,
  };
  const touched = touchedBy(tool_name, tool_input);
  const acts = actsIn(touched.commands, cwd === undefined ? BLIND : look(cwd));
  const touches = acts && isTold(touched) ? touched : null;
  return { permission, ...redactor.event({ acts: acts ?? [], touches }) };
}

/** A patch stands where a command would: of its lines only the names of its files count. */
function touchedBy(name: string, input: Readonly<Record<string, unknown>>): ToolTouches {
  const { command } = input;
  if (name !== 'apply_patch' || typeof command !== 'string') return touchesOf(input);
  return { commands: [], paths: [...command.matchAll(PATCHED)].map(([, path = '']) => path) };
}

const isTold = ({ commands, paths }: ToolTouches): boolean =>
  commands.length <= TOUCHES_MAX &&
  paths.length <= TOUCHES_MAX &&
  [...commands, ...paths].join('').length <= TOUCHES_MAX_CHARS;

/** What the lines would do to a remote; null where one of them is too much to be read. */
function actsIn(lines: readonly string[], look: Look): ForeseenAct[] | null {
  const found = lines.flatMap((line) => classifyCommand(line, look));
  if (found.some(({ unread }) => unread !== undefined)) return null;
  return found.slice(0, 100).map(foresee);
}
