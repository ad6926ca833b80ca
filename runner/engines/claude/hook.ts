import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { notice } from '../draft.ts';
import { answerCall } from '../call-policy.ts';
import type { ToolAnswer } from '../tool-policy.ts';
import { writeResponse } from './encode.ts';
import { hookRequest } from './lines.ts';
import type { Draft } from './state.ts';
import { denyTool } from './tools.ts';

const CALLBACK = 'policy';

/**
 * How long claude waits for an answer, in seconds; then it denies by itself. Enough for a runner
 * that is started again, so that the call goes on as if nothing had been.
 */
const WAIT_SECONDS = 3600;

/** Asks claude to ask us before every call of a tool, in every approvals mode. */
export const POLICY_HOOKS = {
  PreToolUse: [{ matcher: null, hookCallbackIds: [CALLBACK], timeout: WAIT_SECONDS }],
} as const;

/**
 * Answers claude's question before a call: what the policy denies is denied and what it asks about
 * goes to a person, also where nobody is asked otherwise. claude takes an error for no objection,
 * so that a question that cannot be read is denied in so many words.
 */
export function answerHook(draft: Draft, engineRequestId: string, raw: unknown): void {
  const asked = hookRequest.safeParse(raw);
  if (!asked.success) {
    const reason =
      'The call could not be read, so the policy of this session denies it. Ask a person to look at it.';
    write(draft, engineRequestId, { effect: 'deny', reason });
    notice(draft, 'warning', 'policy_unanswerable', reason);
    return;
  }
  const { tool_name: name, tool_input: input, tool_use_id: toolId } = asked.data.input;
  const answer = answerCall(
    { tools: draft.state.rules ?? DEFAULT_POLICY.tools, acts: draft.state.actRules },
    { name, input },
    draft.look,
  );
  write(draft, engineRequestId, answer);
  if (answer?.effect !== 'deny') return;
  if (toolId) denyTool(draft, toolId);
  notice(draft, 'info', 'policy_denied', `${name} was denied: ${answer.reason}`);
}

function write(draft: Draft, engineRequestId: string, answer: ToolAnswer): void {
  // An allowance here would go over the engine's own rules and the person's: it keeps to them.
  const told =
    answer === null || answer.effect === 'allow'
      ? {}
      : {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: answer.effect,
            permissionDecisionReason: answer.reason,
          },
        };
  draft.items.push(writeResponse(engineRequestId, told));
}
