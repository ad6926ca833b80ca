import type { Command } from 'commander';
import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { describeRequest } from '../approval-input.ts';
import { paintFor, print } from '../output.ts';
import { indent } from '../transcript-lines.ts';
import { findSession } from './find.ts';

type AnswerOptions = ConnectionOptions & { message?: string; answer?: string[] };

/** `pilothouse sessions approve|deny`: the answer to what a session waits for. */
export function addAnswers(sessions: Command): void {
  withConnection(sessions.command('approve'))
    .description('allow what a session asks for, or answer its question')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('[request]', 'id of the approval; not needed when only one waits')
    .option(
      '--answer <text...>',
      'answers to its questions, in their order: an option, or your own words',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse sessions approve ses_01k…\n  pilothouse sessions approve ses_01k… --answer "Use SQLite"',
    )
    .action((session: string, request: string | undefined, options: AnswerOptions) =>
      runAnswer(session, request, 'allow', options),
    );
  withConnection(sessions.command('answer'))
    .description('answer the question or the prompt that a session waits with')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('<answer...>', 'one answer for each of its questions, in their order')
    .option('--request <id>', 'id of the request; not needed when only one waits')
    .addHelpText(
      'after',
      '\nA prompt takes only the answers that its engine names; a secret is never asked for here.\n\nExample:\n  pilothouse sessions answer ses_01k… y',
    )
    .action(
      (session: string, answer: string[], options: ConnectionOptions & { request?: string }) =>
        runAnswer(session, options.request, 'allow', { ...options, answer }),
    );
  withConnection(sessions.command('deny'))
    .description('refuse what a session asks for')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('[request]', 'id of the approval; not needed when only one waits')
    .option('--message <text>', 'told to the engine, so that it can do otherwise')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse sessions deny ses_01k… --message "Open a pull request instead"',
    )
    .action((session: string, request: string | undefined, options: AnswerOptions) =>
      runAnswer(session, request, 'deny', options),
    );
}

async function runAnswer(
  session: string,
  request: string | undefined,
  decision: ApprovalAnswer['decision'],
  options: AnswerOptions,
): Promise<void> {
  const { api } = connect(options, process.env);
  const { sessionId } = await findSession(api, session);
  const { view } = await api.readSession(sessionId);
  const pending = choosePending(view.pendingApprovals, request);
  // An id that is not pending goes to the Worker all the same: it knows whether it expired.
  const requestId = pending?.requestId ?? request;
  if (requestId === undefined) {
    throw new Failure(
      EXIT.refused,
      'request_not_found',
      view.blocked?.message ?? 'Nothing of this session waits for an answer.',
    );
  }
  await api.answer(sessionId, requestId, {
    decision,
    message: options.message ?? null,
    answers: pending && options.answer ? answersOf(pending, options.answer) : null,
    suggestion: null,
  });
  print(options.json, { sessionId, requestId, decision, accepted: true }, () =>
    describeAnswer(decision, pending, requestId),
  );
}

/** What was answered: the line and, beneath it, what it stands for. */
function describeAnswer(
  decision: ApprovalAnswer['decision'],
  pending: ApprovalRequest | null,
  requestId: string,
): string {
  const word = decision === 'allow' ? 'Allowed' : 'Denied';
  if (!pending) return `${word}: ${requestId}`;
  const shown = describeRequest(pending, pending.summary, paintFor(process.stdout));
  return [`${word}: ${pending.summary}`, ...(shown === null ? [] : [indent(shown)])].join('\n');
}

/** The request that is meant; without an id the only one that waits. */
export function choosePending(
  pending: readonly ApprovalRequest[],
  asked: string | undefined,
): ApprovalRequest | null {
  if (asked !== undefined) return pending.find((request) => request.requestId === asked) ?? null;
  if (pending.length < 2) return pending[0] ?? null;
  const list = pending.map((request) => `\n  ${request.requestId}  ${request.summary}`).join('');
  throw new Failure(
    EXIT.refused,
    'request_not_found',
    `More than one approval waits; say which:${list}`,
  );
}

/** Answers in order, as the engine wants them: by the question's text. */
export function answersOf(
  request: ApprovalRequest,
  answers: readonly string[],
): Record<string, string> {
  if (answers.length !== request.questions.length) {
    throw new Failure(
      EXIT.usage,
      'bad_request',
      `${request.questions.length} questions wait, and ${answers.length} answers were given. ${ERRORS.bad_request.sentence}`,
    );
  }
  return Object.fromEntries(
    request.questions.map(({ question }, index) => [question, answers[index] ?? '']),
  );
}
