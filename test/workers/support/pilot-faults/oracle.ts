import type { RequestId, TurnId } from '../../../../protocol/ids.ts';

/** One row of the usage ledger, as the database has it. */
export type UsageRow = {
  engine_id: string;
  turn_id: string;
  provenance: string;
  input_tokens: number;
  micro_usd: number | null;
};

/** What is seen of a run from outside: of its machine, its model API, its tables and its routes. */
export type Seen = {
  /** Each beginning of work by the engine, in order, with the words that it was given. */
  begun: readonly { turnId: TurnId; text: string }[];
  /** What the machine charged, micro-USD, and by how much each piece passed its grant. */
  charged: readonly { source: 'engine' | 'brain'; microUsd: number; beyond: number }[];
  /** Input tokens of each call that the model API answered; null: it told no figure. */
  served: readonly (number | null)[];
  /** What the machine was told to answer to each request of the engine, as often as it was told. */
  answered: readonly { requestId: RequestId; decision: string }[];
  /** How much work had begun each time that the conversation was to be begun anew. */
  anew: readonly number[];
  /** Decisions of persons that the database has. */
  decided: readonly { request_id: string; decision: string }[];
  usage: readonly UsageRow[];
  /** Numbers of the steps on record. */
  steps: readonly number[];
  /** How it stands, as its route says. */
  pilot: {
    status: string;
    reason: string;
    hold: string | null;
    proposal: string | null;
    until: number | null;
    finishedAt: number | null;
  };
  nowMs: number;
  /** The engine waits for a person's answer. */
  asks: boolean;
  /** Whether the work stood at its goal when a check last ran. */
  passing: boolean;
  maxTurns: number;
  /** The budget of the account that counts all of it, micro-USD; null: there is none. */
  limit: number | null;
  /** Words of a person of which at most one of each group was to be carried out. */
  wishes: readonly (readonly string[])[];
};

export const LAWS = {
  turnOnce: 'A turn was begun more than once.',
  wordsOnce: 'The same instruction was carried out more than once.',
  turnsBounded: 'More turns were begun than the run was given.',
  wishOnce: 'Of two words of a person for one step, both were carried out.',
  answerOnce: 'The machine was told different answers to one request.',
  decisionOnce: 'More than one decision of a person is on record for a request.',
  anewOnce: 'A conversation was begun anew twice after one turn.',
  engineSum: 'The ledger has another sum for the engine than the machine charged.',
  brainSum: 'The ledger has another sum for the brain than was charged for it.',
  budgetHeld: 'What was charged passes the budget by more than was under way.',
  proven: 'It finished although the last check failed.',
  stands: 'It neither ended nor waits for something that it says.',
  gapless: 'The record of its steps has a gap.',
} as const;
export type Law = keyof typeof LAWS;

/**
 * The laws of a Pilot that a run has broken once nothing moves any more. Written from what a Pilot
 * promises, and of nothing that the Pilot itself decides by: it knows no rule of it.
 */
export function judge(seen: Seen): Law[] {
  const broken: Record<Law, boolean> = {
    turnOnce: hasTwice(seen.begun.map(({ turnId }) => turnId)),
    wordsOnce: hasTwice(seen.begun.map(({ text }) => text)),
    turnsBounded: new Set(seen.begun.map(({ turnId }) => turnId)).size > seen.maxTurns,
    wishOnce: seen.wishes.some(
      (group) => group.filter((words) => seen.begun.some(({ text }) => text === words)).length > 1,
    ),
    answerOnce: hasTwice(differing(seen.answered)),
    decisionOnce: hasTwice(seen.decided.map(({ request_id }) => request_id)),
    anewOnce: hasTwice(seen.anew.map(String)),
    engineSum: sum(rowsOf(seen, 'engine')) !== sum(chargedOf(seen, 'engine')),
    brainSum: !isBrainOnRecord(seen),
    budgetHeld: seen.limit !== null && sum(seen.charged.map(spentOf)) > seen.limit + beyondOf(seen),
    proven: seen.pilot.status === 'finished' && !seen.passing,
    stands: !isStated(seen),
    gapless: seen.steps.some((step, index) => step !== index + 1),
  };
  return (Object.keys(LAWS) as Law[]).filter((law) => broken[law]);
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);
const hasTwice = (of: readonly string[]): boolean => new Set(of).size < of.length;
const spentOf = ({ microUsd }: { microUsd: number }): number => microUsd;
const beyondOf = ({ charged }: Seen): number => sum(charged.map(({ beyond }) => beyond));

/** The requests of answers, each answer once however often it was given. */
function differing(answers: Seen['answered']): string[] {
  const once = new Map(answers.map((answer) => [`${answer.requestId} ${answer.decision}`, answer]));
  return [...once.values()].map(({ requestId }) => requestId);
}

const chargedOf = ({ charged }: Seen, source: 'engine' | 'brain'): number[] =>
  charged.filter((each) => each.source === source).map(spentOf);

const isBrain = ({ engine_id }: UsageRow): boolean => engine_id === 'brain';

const rowsOf = ({ usage }: Seen, source: 'engine' | 'brain'): number[] =>
  usage
    .filter((row) => isBrain(row) === (source === 'brain'))
    .map(({ micro_usd }) => micro_usd ?? 0);

/**
 * What a machine's engine was asked is on record to the dollar. Of a model API each figure is there
 * once or not at all, and for each that is not there a row says that one is lost.
 */
function isBrainOnRecord(seen: Seen): boolean {
  if (seen.served.length === 0) return sum(rowsOf(seen, 'brain')) === sum(chargedOf(seen, 'brain'));
  const rows = seen.usage.filter(isBrain);
  const lost = rows.filter(({ provenance }) => provenance === 'unsettled').length;
  const left = [...seen.served];
  for (const { provenance, input_tokens } of rows) {
    if (provenance === 'unsettled') continue;
    const index = left.indexOf(input_tokens);
    if (index === -1) return false;
    left.splice(index, 1);
  }
  return left.length <= lost;
}

/** Statuses in which it does nothing until a person says so. */
const STANDING: ReadonlySet<string> = new Set(['waiting_person', 'paused']);
const OVER: ReadonlySet<string> = new Set(['finished', 'stopped', 'failed']);

/** It came to an end, or says in words what it waits for, and that can still come. */
function isStated({ pilot, nowMs, asks }: Seen): boolean {
  const { status, reason, hold, proposal, until, finishedAt } = pilot;
  if (reason.trim().length < 10) return false;
  if (OVER.has(status)) return finishedAt !== null;
  if (STANDING.has(status))
    return status === 'paused' || (hold !== null && (hold === 'proposal') === (proposal !== null));
  if (status === 'waiting_until') return until !== null && until > nowMs;
  return status === 'waiting_turn' && asks;
}
