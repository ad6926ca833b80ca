import type { ToolRule } from '../../protocol/policy-defaults.ts';
import { classifyCommand } from '../acts/classify.ts';
import { BLIND, type Look } from '../acts/sight.ts';
import { messageOf } from '../failure.ts';
import { type ActRules, type Forbidden, judgeActs } from '../gate/act-policy.ts';
import { answerToolUse, touchesOf, type ToolAnswer, type ToolUse } from './tool-policy.ts';

/** What every call of a session is held to before it runs. */
export type CallRules = {
  tools: readonly ToolRule[];
  /** Undefined: an older runner started the session, and what it pushes is judged afterwards alone. */
  acts: ActRules | undefined;
};

/**
 * The policy's answer to a call before it runs, by what it touches and by what its command line
 * would do to a remote, also by the files that `look` shows: the stricter of both. Pure.
 */
export function answerCall(
  { tools, acts }: CallRules,
  use: ToolUse,
  look: Look = BLIND,
): ToolAnswer {
  const byTool = answerToolUse(tools, use);
  if (byTool?.effect === 'deny' || !acts) return byTool;
  const verdict = judgeLines(touchesOf(use.input).commands, acts, look);
  switch (verdict?.kind) {
    case 'refuse':
      return {
        effect: 'deny',
        reason: `The policy of this session denies this: ${verdict.reason}.`,
      };
    case 'ask':
      return {
        effect: 'ask',
        reason: `The policy of this session asks a person about this: ${verdict.reason}.`,
      };
    case undefined:
      return byTool;
    default:
      return verdict satisfies never;
  }
}

/** Lines that nobody can make sense of are not let through for that. */
function judgeLines(lines: readonly string[], acts: ActRules, look: Look): Forbidden | null {
  try {
    const found = lines.flatMap((line) => classifyCommand(line, look));
    const unread = found.find((act) => act.unread !== undefined)?.unread;
    if (unread !== undefined) return unreadable(unread);
    return judgeActs(found, acts);
  } catch (error) {
    return unreadable(messageOf(error));
  }
}

const unreadable = (why: string): Forbidden => ({
  kind: 'refuse',
  reason: `its command line could not be read (${why})`,
});
