import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import { DEFAULT_POLICY } from '../../protocol/merge-policy.ts';
import { answerCall } from '../engines/call-policy.ts';
import { emit, patch, type Draft } from './session-io.ts';

const REDACTED = /\[redacted:/;
const ANSWER = { message: null, answers: null, suggestion: null } as const;

/**
 * Answers an approval that the policy of the session has an answer to, before a person is asked:
 * what it denies is denied, and what it allows is allowed. A policy that cannot be applied denies.
 */
export function answerByPolicy(draft: Draft, request: ApprovalRequest): void {
  const answer = answerOf(draft, request);
  if (!answer) return;
  const { pending } = draft.state;
  patch(draft, {
    pending: pending.map((held) => (held.request === request ? { ...held, answer } : held)),
  });
  draft.effects.push({ kind: 'answer', request, answer });
  if (answer.decision === 'deny')
    emit(draft, {
      type: 'notice/raised',
      level: 'info',
      code: 'policy_denied',
      message: `${request.toolName} was denied: ${answer.message}`,
    });
}

function answerOf(draft: Draft, request: ApprovalRequest): ApprovalAnswer | null {
  if (request.kind !== 'tool') return null;
  const { tools } = draft.state.launch.policy?.policy ?? DEFAULT_POLICY;
  const { acts } = draft.state;
  const use = { name: request.toolName, input: inputOf(request) };
  const verdict = answerCall({ tools, acts }, use, draft.look);
  if (verdict?.effect === 'deny') return { ...ANSWER, decision: 'deny', message: verdict.reason };
  // What was cut or redacted is not known whole: a session that writes what is taken for a secret
  // would choose what a rule is shown. And an act is never allowed by a rule of tools.
  const seen = request.input.truncated === null && !REDACTED.test(request.input.text);
  const whole = seen && request.acts.length === 0;
  return verdict?.effect === 'allow' && whole ? { ...ANSWER, decision: 'allow' } : null;
}

/** The input as its engine gave it; a text that was cut, or is no JSON, is looked at as words. */
function inputOf({ input }: ApprovalRequest): unknown {
  try {
    return JSON.parse(input.text);
  } catch {
    return input.text;
  }
}
