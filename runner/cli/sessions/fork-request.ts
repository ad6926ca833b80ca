import { limitsOf } from '../../../protocol/amounts.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { forkMachineObstacle, forkObstacle, forkTerms } from '../../../protocol/fork.ts';
import type { LaunchRequest, RunnerSummary, SessionDetail } from '../../../protocol/http.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { EXIT, Failure } from '../../failure.ts';
import { DEFAULT, type ForkedTerms, NONE } from '../launch-terms.ts';

export type ForkTermsSaid = ForkedTerms & { turn?: string; engine?: string };

/** The limits that are said; those that are not stay as they are. */
const saidLimits = ({ tokens, turns, minutes }: ForkTermsSaid) => ({
  ...(tokens !== undefined && { tokens: tokens === NONE ? null : tokens }),
  ...(turns !== undefined && { turns: turns === NONE ? null : turns }),
  ...(minutes !== undefined && { timeMs: minutes === NONE ? null : minutes }),
});

/**
 * What is asked of the server for a fork: the terms of the session, with what a person said over
 * them. Throws `fork_unavailable`, also where the machine's runner cannot. Pure.
 */
export function forkRequestOf(
  { view, summary }: SessionDetail,
  { machine }: Pick<RunnerSummary, 'machine'>,
  objective: string,
  options: ForkTermsSaid,
): LaunchRequest {
  const obstacle = forkObstacle(view) ?? forkMachineObstacle(machine);
  if (obstacle !== null) throw unavailable(obstacle);
  const terms = forkTerms(view);
  const { engine = terms.engineId, approvals, model, budget, grade, network } = options;
  const { silence: noOutputMs, answerWithin: answerMs } = options;
  return {
    ...terms,
    runnerId: summary.runnerId,
    objective,
    from: summary.sessionId,
    fork: { turnId: options.turn === undefined ? null : turnOf(view, options.turn) },
    engineId: engine,
    // A model is of its engine.
    model: model === NONE ? null : (model ?? (engine === terms.engineId ? terms.model : null)),
    limits: limitsOf({ ...terms.limits, ...saidLimits(options) }),
    ...(approvals && { approvals }),
    ...(budget !== undefined && { budgetMicroUsd: budget === NONE ? null : budget }),
    ...(grade && { grade: grade === DEFAULT ? null : grade }),
    ...(network && { network: network === DEFAULT ? undefined : network }),
    ...(noOutputMs !== undefined && { noOutputMs }),
    ...(answerMs !== undefined && { answerMs }),
  };
}

const unavailable = (detail: string) =>
  new Failure(EXIT.refused, 'fork_unavailable', `${ERRORS.fork_unavailable.sentence} (${detail})`);

/** The turn that a person means, by its number or its id. Throws `fork_unavailable`. Pure. */
function turnOf({ turns }: Pick<SessionView, 'turns'>, text: string) {
  const turn = turns.find((each, index) => each.turnId === text || String(index + 1) === text);
  if (turn?.state === 'ended') return turn.turnId;
  throw unavailable(turn ? `Turn ${text} is not over.` : `It has no turn ${text}.`);
}
