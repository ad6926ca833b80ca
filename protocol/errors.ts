import { z } from 'zod';
import { BUDGET_ERRORS } from './budget-errors.ts';
import { GITHUB_ERRORS } from './github-errors.ts';
import { IMAGE_ERRORS } from './image-errors.ts';
import { MACHINE_ERRORS, type ErrorFacts } from './machine-errors.ts';
import { OPERATOR_ERRORS } from './operator-errors.ts';
import { PILOT_ERRORS } from './pilot-errors.ts';
import { PUSH_ERRORS } from './push-errors.ts';
import { TAKEOVER_ERRORS } from './takeover-errors.ts';
import { TERMINAL_ERRORS } from './terminal-errors.ts';

/**
 * Every error that a person or a program can meet, in one total table. Code is branched on,
 * never the sentence.
 */
export const ERRORS = {
  bad_request: {
    status: 400,
    retryable: false,
    sentence:
      'The request is not in the expected form. Correct the field named in the details and send it again.',
  },
  unauthenticated: {
    status: 401,
    retryable: false,
    sentence:
      'You are not signed in. Open the sign-in link that `npm start` prints, or run `pilothouse link` for a new one.',
  },
  link_used: {
    status: 401,
    retryable: false,
    sentence: 'This sign-in link was used or has expired. Run `pilothouse link` for a new one.',
  },
  forbidden: {
    status: 403,
    retryable: false,
    sentence: 'This credential may not do that. Use the console, or a token of the right kind.',
  },
  origin_refused: {
    status: 403,
    retryable: false,
    sentence:
      'The request came from another site and was refused. Open the console at the address that `npm start` printed.',
  },
  not_found: {
    status: 404,
    retryable: false,
    sentence:
      'There is nothing at this address. Check the id; `pilothouse sessions list` shows what exists.',
  },
  session_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No session has this id. `pilothouse sessions list` shows those that exist.',
  },
  runner_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No machine has this id. Start a runner there with `pilothouse runner start`.',
  },
  request_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No approval of this session has this id. Reload to see what is pending.',
  },
  output_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'The full output is no longer kept on the machine. The part in the transcript is all there is.',
  },
  decision_key_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No key for decision reports has this id. `pilothouse decisions keys list` shows those that exist.',
  },
  decision_report_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'This report of decisions is not kept, or no longer: `pilothouse decisions list` shows the last of each branch.',
  },
  conflict: {
    status: 409,
    retryable: false,
    sentence: 'Something else changed this first. Reload and try again.',
  },
  session_ended: {
    status: 409,
    retryable: false,
    sentence: 'The session has ended. Use Retry to continue the same conversation.',
  },
  session_not_ready: {
    status: 409,
    retryable: false,
    sentence: 'The session did not start. Fix the reason shown on its page, then use Retry.',
  },
  session_halted: {
    status: 409,
    retryable: false,
    sentence:
      'The session is halted for the reason shown on its page. Stop it, or launch a new one with another limit. After a breach, say why it may go on.',
  },
  nothing_running: {
    status: 409,
    retryable: false,
    sentence: 'No turn is running, so there is nothing to interrupt.',
  },
  nothing_to_retry: {
    status: 409,
    retryable: false,
    sentence: 'The session is alive; there is nothing to retry. Send an instruction instead.',
  },
  nothing_to_restart: {
    status: 409,
    retryable: true,
    sentence:
      'The engine has no process that could be restarted: it is only starting, or the next instruction starts it.',
  },
  session_busy: {
    status: 409,
    retryable: true,
    sentence:
      'The session is at work, and its conversation is made short between turns alone. Wait until its turn is over, or interrupt it, then ask again.',
  },
  nothing_to_dismiss: {
    status: 409,
    retryable: false,
    sentence:
      'Only a failure can be dismissed. What waits for an answer stays until it is answered or the session is stopped.',
  },
  breach_open: {
    status: 409,
    retryable: false,
    sentence:
      'The session did what its policy forbids, and nobody has answered for it. Undo it, then say on its page or with `pilothouse breaches override` why the session may go on.',
  },
  breach_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'This session has no such breach. `pilothouse breaches` lists those that there are, with their ids.',
  },
  ...BUDGET_ERRORS,
  ...TAKEOVER_ERRORS,
  ...IMAGE_ERRORS,
  ...GITHUB_ERRORS,
  ...TERMINAL_ERRORS,
  ...OPERATOR_ERRORS,
  ...PILOT_ERRORS,
  ...PUSH_ERRORS,
  approval_answered: {
    status: 409,
    retryable: false,
    sentence: 'This approval already has a different answer. The first answer stands.',
  },
  approval_expired: {
    status: 410,
    retryable: false,
    sentence: 'This approval has expired: the engine no longer waits for it, and nothing was run.',
  },
  stale_epoch: {
    status: 409,
    retryable: false,
    sentence: 'Another driver took over this session. Reload to see who holds it.',
  },
  nothing_to_go_on_from: {
    status: 409,
    retryable: false,
    sentence:
      'No turn of that session ever began, so that there is nothing to go on with. Launch a session without it, or Retry that one.',
  },
  turn_conflict: {
    status: 409,
    retryable: false,
    sentence:
      'A different instruction was already sent under this id. Send it again without an id.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    sentence:
      'The request is larger than is accepted. Shorten the text, or put it in a file of the repository.',
  },
  report_too_large: {
    status: 413,
    retryable: false,
    sentence:
      'The report has more than the 1,900,000 bytes that are kept of one, so nothing of it was kept. Most often one rule has thousands of findings: narrow or correct it, then post again.',
  },
  report_from_future: {
    status: 422,
    retryable: false,
    sentence:
      'The report says that its check began in the future, so it would hide every later one, and it was not kept. Set the clock of the machine that checked, then check again.',
  },
  policy_unreadable: {
    status: 503,
    retryable: true,
    sentence:
      'The merge policy cannot be read, so nothing is allowed. `pilothouse policy show` says what is wrong; try again when it answers.',
  },
  policy_changed: {
    status: 409,
    retryable: false,
    sentence:
      'The policy was changed since you read it. `pilothouse policy show` shows how it stands; decide again.',
  },
  ...MACHINE_ERRORS,
  runner_offline: {
    status: 503,
    retryable: true,
    sentence:
      'The machine is offline. Start its runner with `pilothouse runner start`; what was queued is delivered then.',
  },
  runner_revoked: {
    status: 409,
    retryable: false,
    sentence:
      'The access of this machine was taken back, so nothing reaches it. “Pair again” on its page, or `pilothouse runner invite --runner` with its id, lets it come back.',
  },
  pairing_used: {
    status: 401,
    retryable: false,
    sentence:
      'This pairing code was used, has expired or was never given. “Pair a machine” in the console, or `pilothouse runner invite`, makes another; it is good for ten minutes.',
  },
  pairing_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'No pairing code for this machine waits any more: it was used, withdrawn, or has expired. If a machine came with it that is not yours, take its access back: “Revoke…” on its page, or `pilothouse runner revoke`.',
  },
  pairing_other_machine: {
    status: 409,
    retryable: false,
    sentence:
      'This directory is already paired as another machine, whose sessions it holds, so nothing was changed and the code still works. Press “Pair again” on that machine’s page for a code of its own, or pair into another directory with `--data`.',
  },
  runner_timeout: {
    status: 504,
    retryable: true,
    sentence: 'The machine did not answer in time. Check that it is awake, then try again.',
  },
  expired: {
    status: 410,
    retryable: false,
    sentence: 'The command waited longer than it was valid and was not carried out.',
  },
  unknown_outcome: {
    status: 409,
    retryable: false,
    sentence:
      'The machine restarted while carrying this out and cannot tell whether it happened. Look at the transcript before sending it again.',
  },
  rate_limited: {
    status: 429,
    retryable: true,
    sentence: 'Too many requests. Wait a minute, then try again.',
  },
  steer_unsupported: {
    status: 422,
    retryable: false,
    sentence:
      'This engine takes no words into a turn under way in this approvals mode. Send them without steering: they wait until the turn is over. Or interrupt it first.',
  },
  unsupported: {
    status: 422,
    retryable: false,
    sentence: 'This engine cannot do that. Choose another engine, or another way to ask for it.',
  },
  command_unknown: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s runner does not understand this request, so nothing was done: it is older than the server. Update Pilothouse on that machine and restart its runner.',
  },
  storage_full: {
    status: 503,
    retryable: true,
    sentence:
      'The disk that holds the data of Pilothouse is full. Free some space where it runs, then try again; what was recorded stays.',
  },
  internal: {
    status: 500,
    retryable: true,
    sentence:
      'Something failed on our side. Nothing was lost; try again, and report the request id if it happens again.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERRORS;
export const errorCode = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

export type ErrorContext = Readonly<Record<string, unknown>>;

/** The one error type that crosses a boundary. `context` holds ids and facts, never secrets. */
export class PilothouseError extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, context: ErrorContext = {}, options?: { cause?: unknown }) {
    super(sentenceOf(code, context), options);
    this.name = 'PilothouseError';
    this.code = code;
    this.context = context;
  }
}

/** The sentence of a code, followed by the context's `detail` when there is one. */
export function sentenceOf(code: ErrorCode, context: ErrorContext = {}): string {
  const detail = context['detail'];
  return typeof detail === 'string' && detail
    ? `${ERRORS[code].sentence} (${detail})`
    : ERRORS[code].sentence;
}

/** The body of every error response. */
export const errorBody = z.object({
  error: z.object({
    code: errorCode,
    message: z.string(),
    retryable: z.boolean(),
    context: z.record(z.string(), z.unknown()),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Reads a code that came over the wire; one that this end does not know is `internal`. */
export function parseErrorCode(code: string): ErrorCode {
  const known = errorCode.safeParse(code);
  return known.success ? known.data : 'internal';
}
