import { z } from 'zod';
import {
  ASKED_MAX_CHARS,
  type AskedPermission,
  paneQuestionId,
} from '../../protocol/pane-question.ts';
import type { ForeseenAct } from '../../protocol/terminal-command.ts';
import { classifyCommand } from '../acts/classify.ts';
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

/** What an agent asks, for a person elsewhere to read; null where the hook's words cannot be read. Pure. */
export function readHook(
  engine: string,
  hook: string,
  redactor: Pick<Redactor, 'event'>,
): { permission: AskedPermission; acts: ForeseenAct[] } | null {
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
  return { permission, acts: redactor.event(actsIn(tool_input)) };
}

function actsIn({ command }: Readonly<Record<string, unknown>>): ForeseenAct[] {
  if (typeof command !== 'string') return [];
  return classifyCommand(command)
    .slice(0, 100)
    .map(({ kind, command: line, target, uncertain }) => ({
      kind,
      command: line,
      target,
      uncertain,
    }));
}
