import { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import type { GateSaid } from '../../protocol/gate.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import {
  AGENT_PERMISSION,
  END_REASONS,
  paneQuestionId,
  type PaneQuestion,
  type QuestionKept,
  questionStands,
} from '../../protocol/pane-question.ts';
import { type Database, openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { readAllowedCall } from '../ledger/allowed-call.ts';
import { readInstance } from '../operators/read.ts';
import { readPolicy } from '../policy/read.ts';
import { askRunner } from '../runners/ask.ts';
import { readOpenBreaches } from '../ledger/read-breaches.ts';
import { actsOf, endsOf, forbidden, type ToldActs } from './act-rows.ts';
import { kindsOf } from './acts.ts';
import { coversQuestion, decideQuestion } from './decide-question.ts';
import { ring } from './decide.ts';
import {
  appendDecision,
  appendOutcome,
  type DecisionRow,
  readAnswer,
  readDecision,
} from './record.ts';

type From = { accountId: AccountId; runnerId: RunnerId };

/** What an agent is told with a no, for its model to read. */
const NO = 'A person said no to this through Pilothouse.';

/**
 * Takes what a coding agent in a terminal asks, and how that ended, and says what is known of it.
 * It stands among the calls of the operator that started the agent: a person is asked, and what the
 * merge policy forbids is a no at once. The same again changes nothing.
 */
export async function takeQuestion(
  env: Env,
  from: From,
  question: PaneQuestion,
): Promise<QuestionKept> {
  const database = openDatabase(env.DB);
  const { id, drive, end } = question;
  const started = await readAllowedCall(database, from, drive);
  if (!started) return { id, state: 'refused', reason: null };
  const known = await readDecision(database, { instanceId: drive.instanceId, callId: id });
  const asked = known ?? (await ask(env, database, started, question));
  if (end !== null) {
    if (isOpen(asked)) await close(database, asked, question);
    return { id, state: 'ended', reason: null };
  }
  if (asked.effect === 'allow' && isOpen(asked)) return { id, state: 'allow', reason: null };
  if (asked.effect !== 'ask') return { id, state: 'deny', reason: deniedAs(asked) };
  const said = await readAnswer(database, asked);
  if (!said) return { id, state: 'waiting', reason: null };
  return { id, ...answerOf(said.answer) };
}

/** Its end is not on record: what was denied has none, and the end is a step of its own. */
const isOpen = ({ effect, step }: DecisionRow): boolean => effect !== 'deny' && step === 0;

/** A no in words for the agent's model to read. */
const deniedAs = ({ rule, reason }: DecisionRow): string =>
  rule === 'policy'
    ? `Denied: ${reason}. Go on without it, or ask a person to do it or to change the policy.`
    : reason;

const answerOf = (said: GateSaid): Pick<QuestionKept, 'reason'> & { state: 'allow' | 'deny' } =>
  said === 'deny' ? { state: 'deny', reason: NO } : { state: 'allow', reason: null };

/** Puts a question on record, and asks a person where the merge policy does not say no already. */
async function ask(
  env: Env,
  database: Database,
  started: DecisionRow,
  question: PaneQuestion,
): Promise<DecisionRow> {
  const { id, permission, target, acts, at, expiresAt, end } = question;
  const nowMs = Date.now();
  const call = { tool: AGENT_PERMISSION, params: permission } as const;
  const json = JSON.stringify(call);
  const { policy, sources } = await readRules(database, started, question);
  const decided =
    typeof policy === 'string'
      ? ({ effect: 'deny', rule: 'policy', reason: policy } as const)
      : decideQuestion(question, policy, await isCovered(env, database, started, question));
  const { effect, rule, reason } = decided;
  const row: DecisionRow = {
    ...started,
    callId: id,
    step: 0,
    tool: AGENT_PERMISSION,
    target,
    at: nowMs,
    actor: { kind: 'program', id: permission.engine },
    risk: 'run',
    callSha256: await sha256Hex(json),
    callBytes: new TextEncoder().encode(json).byteLength,
    effect,
    rule,
    reason,
    acts: kindsOf(acts),
    aiCli: permission.engine,
    // The machine's clock ends it; this one only says about when.
    expiresAt: effect === 'ask' ? nowMs + (expiresAt - at) : null,
    seenSha256: null,
  };
  if (effect === 'allow') return appendDecision(database, row, null);
  if (effect === 'deny') {
    const told = await actsOf(row, acts, sources);
    const ends = told.map(({ actId }) => ({ ...ofAct(row), actId, ...forbidden(reason) }));
    return appendDecision(database, row, null, { acts: told, ends });
  }
  const { accountId, actorId, instanceId, callId } = row;
  const waiting = { accountId, actorId, instanceId, callId, call, expiresAt: row.expiresAt ?? 0 };
  const stands = await appendDecision(database, row, end === null ? waiting : null);
  if (end === null) await ring(env, stands);
  return stands;
}

/** Puts on record how a question ended. What was allowed may have been done, or not. */
async function close(
  database: Database,
  asked: DecisionRow,
  question: PaneQuestion,
): Promise<void> {
  const { end, acts } = question;
  if (end === null) return;
  const allowed = end === 'allowed';
  const byPerson = asked.effect === 'ask';
  const row: DecisionRow = {
    ...asked,
    step: asked.step + 1,
    at: Date.now(),
    effect: allowed ? 'allow' : 'deny',
    // The rule that allowed it stays; how it ended else is no word of the policy.
    rule: allowed ? asked.rule : 'agent',
    reason: allowed && !byPerson ? `${asked.reason}; the agent’s hook took it` : END_REASONS[end],
    expiresAt: null,
  };
  const { sources } = await readRules(database, asked, question);
  const told: ToldActs = { acts: allowed ? await actsOf(row, acts, sources) : [], ends: [] };
  await appendDecision(database, row, null, told);
  if (!allowed) return;
  const { accountId, actorId, instanceId, callId, at } = row;
  const outcome = {
    accountId,
    actorId,
    instanceId,
    callId,
    status: 'done' as const,
    code: null,
    at,
  };
  const became = { position: 0, outcome: 'unknown', decidedBy: null, reason: null } as const;
  await appendOutcome(database, outcome, null, await endsOf(database, row, became));
}

const ofAct = ({ accountId, actorId, instanceId, at }: DecisionRow) => ({
  accountId,
  actorId,
  sessionId: instanceId,
  at,
});

/** What holds where the agent works; of one that cannot be read, why: it says no. */
async function readRules(
  database: Database,
  { accountId, runnerId }: From,
  { permission: { directory } }: PaneQuestion,
) {
  try {
    const place = directory === null ? {} : { runnerId, directory };
    const { policy, layers } = await readPolicy(database, accountId, place);
    return { policy, sources: layers.map(({ scope, version }) => ({ scope, version })) };
  } catch (error) {
    if (!(error instanceof PilothouseError)) throw error;
    return { policy: error.message, sources: [] };
  }
}

/** Whether the instance may do it unasked as it stands now; one that cannot be read may not. */
async function isCovered(
  env: Env,
  database: Database,
  { accountId, instanceId, tool }: DecisionRow,
  { target }: PaneQuestion,
): Promise<boolean> {
  const read = await readInstance(env, instanceId).catch((error: unknown) => {
    if (error instanceof PilothouseError) return null;
    throw error;
  });
  if (!read) return false;
  const open = await readOpenBreaches(database, accountId, [instanceId]);
  return coversQuestion(read, tool, target, open.size > 0);
}

/**
 * Brings a person's answer to the machine. One that is away asks for it as it comes back. Throws
 * `question_over` where the agent does not wait any more.
 */
export async function deliverAnswer(
  env: Env,
  { accountId, runnerId, callId }: DecisionRow,
  said: GateSaid,
): Promise<void> {
  const { state, reason } = answerOf(said);
  const questionId = paneQuestionId.parse(callId);
  const params = { questionId, allow: state === 'allow', reason: reason ?? '' };
  try {
    const question = { method: 'terminal/answer', params } as const;
    const { stands } = await askRunner(env, { accountId, runnerId }, question, questionStands);
    if (stands !== state) throw new PilothouseError('question_over');
  } catch (error) {
    const away = z.enum(['runner_offline', 'runner_revoked', 'runner_timeout', 'expired']);
    if (error instanceof PilothouseError && away.safeParse(error.code).success) return;
    throw error;
  }
}
