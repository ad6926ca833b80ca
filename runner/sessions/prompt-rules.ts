import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import { PROMPT_ANSWER_MS, STDIN_TOOL } from '../../protocol/prompt.ts';
import { wholeText } from '../../protocol/text.ts';
import { approvalId } from '../engines/ids.ts';
import type { Asked } from '../engines/prompts.ts';
import { emit, patch, type Draft } from './session-io.ts';
import type { Asking, PendingApproval, SessionState } from './session-state.ts';
import { refuse } from './session-steps.ts';
import { forgetApproval } from './approval-steps.ts';

/** Whether what was seen of a process says anything new of what it waits for. */
export function isPromptNews(state: SessionState, asked: Asked | null, nowMs: number): boolean {
  const asking = state.asking ?? null;
  if (asking === null || asked === null || asked.at !== asking.at) return asking !== asked;
  return isOver(findOffer(state, asking), nowMs);
}

/** The process waits for words outside its protocol, or no longer does. */
export function prompted(draft: Draft, asked: Asked | null): void {
  const { asking = null } = draft.state;
  if (asking && asked && asking.at === asked.at) return expire(draft, asking);
  settlePrompt(draft);
  if (!asked || draft.state.halted) return;
  if (asked.kind === 'offer' && draft.state.phase.kind === 'ready') return offer(draft, asked);
  block(
    draft,
    asked.at,
    asked.kind === 'block' ? asked : { why: 'unknown', excerpt: asked.prompt.text },
  );
}

/** It went on or ended: what it waited for is over. */
export function settlePrompt(draft: Draft): void {
  const { asking = null, phase } = draft.state;
  if (asking === null) return;
  patch(draft, { asking: null });
  const offered = findOffer(draft.state, asking);
  if (offered) return resolve(draft, offered, offered.answer ? 'allowed' : 'withdrawn');
  if (asking.requestId === null) emit(draft, { type: 'engine/unblocked' });
  // The time for its first word stood still meanwhile.
  if (phase.kind === 'booting' && phase.stage === 'bootstrap_submitted')
    patch(draft, { phase: { ...phase, deadlineAt: draft.nowMs + draft.config.bootstrapMs } });
}

/** Types one of the answers that the prompt takes, and nothing else; a denial types nothing. */
export function answerPrompt(draft: Draft, found: PendingApproval, given: ApprovalAnswer): void {
  const [question] = found.request.questions;
  const { asking = null, pending } = draft.state;
  if (!question || !asking) return refuse(draft, 'approval_expired');
  if (given.decision === 'deny') {
    resolve(draft, found, 'denied');
    return block(draft, asking.at, { why: 'declined', excerpt: question.question });
  }
  const line = given.answers?.[question.question];
  if (!question.options.some(({ label }) => label === line) || line === undefined) {
    const taken = question.options.map(({ label }) => label).join(', ');
    draft.effects.push({
      kind: 'refuse',
      code: 'bad_request',
      detail: `this prompt takes only: ${taken}`,
    });
    return;
  }
  patch(draft, {
    pending: pending.map((held) => (held === found ? { ...held, answer: given } : held)),
    lastOutputAt: draft.nowMs,
  });
  draft.effects.push({ kind: 'type', line });
}

function offer(draft: Draft, { at, prompt }: Extract<Asked, { kind: 'offer' }>): void {
  const { launchId, spawns, openTurnId, pending } = draft.state;
  const request: ApprovalRequest = {
    requestId: approvalId(launchId, `prompt ${spawns} ${at}`),
    turnId: openTurnId,
    toolId: null,
    kind: 'question',
    toolName: STDIN_TOOL,
    input: wholeText(JSON.stringify({ prompt: prompt.text })),
    summary: prompt.text,
    acts: [],
    questions: [
      {
        question: prompt.text,
        header: null,
        options: prompt.answers.map((label) => ({ label, description: null })),
        multiSelect: false,
      },
    ],
    suggestions: [],
    requestedAt: draft.nowMs,
    expiresAt: draft.nowMs + PROMPT_ANSWER_MS,
  };
  emit(draft, { type: 'approval/requested', request });
  patch(draft, {
    asking: { at, requestId: request.requestId },
    pending: [...pending, { request, answer: null, typed: true }],
  });
}

function expire(draft: Draft, asking: Asking): void {
  const offered = findOffer(draft.state, asking);
  if (!offered || !isOver(offered, draft.nowMs)) return;
  resolve(draft, offered, 'expired');
  block(draft, asking.at, { why: 'unanswered', excerpt: offered.request.summary });
}

const BY_HAND =
  'Stop the session, then open the same command in your own terminal and answer it there, or start it with an option that does not ask.';
const MESSAGES = {
  unknown: `The engine waits for words on its standard input, outside its protocol. Nothing is typed into it from here. ${BY_HAND}`,
  secret: `The engine asks for a secret. Secrets are never typed from here. ${BY_HAND}`,
  unanswered: `Nobody answered the engine’s prompt in time. ${BY_HAND}`,
  declined: `The engine’s prompt was left unanswered on purpose. ${BY_HAND}`,
} as const;

function block(
  draft: Draft,
  at: string,
  { why, excerpt }: { why: keyof typeof MESSAGES; excerpt: string },
): void {
  const { phase } = draft.state;
  emit(draft, { type: 'engine/blocked', why, excerpt, message: MESSAGES[why] });
  patch(draft, { asking: { at, requestId: null } });
  // A person decides how long it may stand there.
  if (phase.kind === 'booting') patch(draft, { phase: { ...phase, deadlineAt: null } });
}

function resolve(
  draft: Draft,
  { request: { requestId } }: PendingApproval,
  resolution: 'allowed' | 'denied' | 'expired' | 'withdrawn',
): void {
  emit(draft, { type: 'approval/resolved', requestId, resolution });
  forgetApproval(draft, requestId);
}

function findOffer(state: SessionState, { requestId }: Asking): PendingApproval | null {
  return state.pending.find(({ request }) => request.requestId === requestId) ?? null;
}

/** Its time is over, and nobody has answered. */
function isOver(offered: PendingApproval | null, nowMs: number): boolean {
  const until = offered?.answer === null ? offered.request.expiresAt : null;
  return until !== null && nowMs > until;
}
