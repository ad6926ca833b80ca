import { z } from 'zod';

type ErrorFacts = {
  /** HTTP status, also for commands that fail on a runner. */
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 500 | 502 | 503 | 504;
  /** The same request may succeed later without any change. */
  retryable: boolean;
  /** What happened, what it means, what to do: shown as it is. */
  sentence: string;
};

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
      'The session is halted for the reason shown on its page. Stop it, or launch a new one with another limit.',
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
  nothing_to_dismiss: {
    status: 409,
    retryable: false,
    sentence:
      'Only a failure can be dismissed. What waits for an answer stays until it is answered or the session is stopped.',
  },
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
  engine_missing: {
    status: 422,
    retryable: false,
    sentence:
      'This engine is not installed on the machine. `pilothouse runner doctor` says how to install it.',
  },
  engine_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not allow this engine. Add it to `engines` in limits.toml on that machine.',
  },
  engine_unknown: {
    status: 422,
    retryable: false,
    sentence:
      'The machine does not know an engine of this name. `pilothouse runner doctor` lists those it knows.',
  },
  engine_not_approved: {
    status: 422,
    retryable: false,
    sentence:
      'The command line of this engine is not approved on the machine. Read it there and approve it with `pilothouse engines approve`, then launch again.',
  },
  engine_id_taken: {
    status: 409,
    retryable: false,
    sentence:
      'An engine that comes with Pilothouse has this id, and stays as it is. Choose another id, such as my-claude.',
  },
  engine_changed: {
    status: 409,
    retryable: false,
    sentence:
      'Somebody saved another version of this engine meanwhile. Reload, and make your change in that one.',
  },
  too_many_engines: {
    status: 409,
    retryable: false,
    sentence:
      'There are as many engines of your own as are kept. Remove one that nobody uses: `pilothouse engines remove`.',
  },
  engine_preset_not_found: {
    status: 404,
    retryable: false,
    sentence: 'No engine has this id. `pilothouse engines list` shows those that exist.',
  },
  approvals_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not allow this approvals mode. Choose another, or allow it in limits.toml on that machine.',
  },
  silence_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not let an engine be silent for so long. Ask for fewer minutes, or raise no_output_minutes in limits.toml on that machine.',
  },
  budget_unpriced: {
    status: 422,
    retryable: false,
    sentence:
      'A limit in dollars cannot be kept with this engine and model, so nothing was started. The details say why.',
  },
  grade_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits demand that sessions hold less power. Choose a stricter grade, or lower `minimum_grade` in limits.toml on that machine.',
  },
  grade_unavailable: {
    status: 422,
    retryable: false,
    sentence:
      'The session cannot be sealed on this machine. Do what the details say, or choose another grade at launch.',
  },
  command_not_approved: {
    status: 422,
    retryable: false,
    sentence:
      'This command line is not approved on the machine. Add it to `commands` in limits.toml there, after reading it.',
  },
  directory_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The directory is outside those that the machine’s own limits allow. Add it to `directories` in limits.toml there.',
  },
  directory_missing: {
    status: 422,
    retryable: false,
    sentence: 'The directory does not exist on the machine. Check the path.',
  },
  conversation_held: {
    status: 409,
    retryable: true,
    sentence:
      'The engine runs outside Pilothouse and holds this conversation, or may hold it. Two processes on one conversation lose turns: end it there, then use Retry.',
  },
  conversation_elsewhere: {
    status: 422,
    retryable: false,
    sentence:
      'A conversation that was begun by hand goes on in the directory where it was begun. Launch it in place.',
  },
  resume_unsupported: {
    status: 422,
    retryable: false,
    sentence:
      'This engine cannot carry on a conversation by its id. Launch without one, or with an engine that can.',
  },
  directory_busy: {
    status: 409,
    retryable: true,
    sentence:
      'Another session works in this directory. Stop it, or launch with a checkout of its own.',
  },
  not_a_repository: {
    status: 422,
    retryable: false,
    sentence:
      'The directory is not in a git repository, so there is no checkout to make. Launch in place, or run `git init` there.',
  },
  checkout_not_found: {
    status: 404,
    retryable: false,
    sentence:
      'The machine has no checkout of this session: it worked in place, or the checkout is gone already. `pilothouse checkouts list` shows those there are.',
  },
  checkout_in_use: {
    status: 409,
    retryable: false,
    sentence:
      'The session is not over, so its checkout stays. Stop the session first: `pilothouse sessions stop`.',
  },
  checkout_unsaved: {
    status: 409,
    retryable: false,
    sentence:
      'Removing this checkout would lose work, so it stays. Save what you need, or give it up with `pilothouse checkouts remove SESSION --discard`.',
  },
  discard_not_allowed: {
    status: 422,
    retryable: false,
    sentence:
      'The machine’s own limits do not let work be given up from elsewhere. Save or delete it on that machine, or set `discard = true` in limits.toml there.',
  },
  base_not_found: {
    status: 422,
    retryable: false,
    sentence:
      'The branch or commit to start from does not exist in the repository. Check its name.',
  },
  workspace_refused: {
    status: 422,
    retryable: false,
    sentence: 'The repository cannot be used as it is; the details say why.',
  },
  disk_full: {
    status: 503,
    retryable: true,
    sentence:
      'The machine has too little free disk space to start an engine safely. Free some space there, then launch again.',
  },
  limits_unreadable: {
    status: 422,
    retryable: false,
    sentence:
      'A file with the machine’s own limits (limits.toml, approved-engines.json) cannot be read, so it is refused there. Correct the place named in the details.',
  },
  runner_offline: {
    status: 503,
    retryable: true,
    sentence:
      'The machine is offline. Start its runner with `pilothouse runner start`; what was queued is delivered then.',
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
