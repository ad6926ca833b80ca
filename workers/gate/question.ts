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
import { readPolicy } from '../policy/read.ts';
import { askRunner } from '../runners/ask.ts';
import { actsOf, endsOf, forbidden, type ToldActs } from './act-rows.ts';
import { decidePolicy, kindsOf } from './acts.ts';
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
    if (asked.effect === 'ask') await close(database, asked, question);
    return { id, state: 'ended', reason: null };
  }
  if (asked.effect !== 'ask') return { id, state: 'deny', reason: asked.reason };
  const said = await readAnswer(database, asked);
  if (!said) return { id, state: 'waiting', reason: null };
  return { id, ...answerOf(said.answer) };
}

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
  const { said, sources } = await readRules(database, started, question);
  const forbids = said.effect === 'deny';
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
    effect: forbids ? 'deny' : 'ask',
    rule: forbids ? 'policy' : 'agent',
    reason: forbids ? said.reason : `${permission.engine} asks to use ${permission.asks}`,
    acts: kindsOf(acts),
    aiCli: permission.engine,
    // The machine's clock ends it; this one only says about when.
    expiresAt: forbids ? null : nowMs + (expiresAt - at),
    seenSha256: null,
  };
  if (forbids) {
    const told = await actsOf(row, acts, sources);
    const ends = told.map(({ actId }) => ({ ...ofAct(row), actId, ...forbidden(said.reason) }));
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
  const row: DecisionRow = {
    ...asked,
    step: asked.step + 1,
    at: Date.now(),
    effect: allowed ? 'allow' : 'deny',
    reason: END_REASONS[end],
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

/** What the merge policy says of it; one that cannot be read says no. */
async function readRules(
  database: Database,
  { accountId, runnerId }: From,
  { permission: { directory }, acts }: PaneQuestion,
) {
  try {
    const place = directory === null ? {} : { runnerId, directory };
    const { policy, layers } = await readPolicy(database, accountId, place);
    const sources = layers.map(({ scope, version }) => ({ scope, version }));
    return { said: decidePolicy({ acts, ruled: null }, policy), sources };
  } catch (error) {
    if (!(error instanceof PilothouseError)) throw error;
    return { said: { effect: 'deny' as const, reason: error.message }, sources: [] };
  }
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
    const away = z.enum(['runner_offline', 'runner_timeout', 'expired']);
    if (error instanceof PilothouseError && away.safeParse(error.code).success) return;
    throw error;
  }
}
