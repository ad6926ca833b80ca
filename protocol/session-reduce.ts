import type { EventOf, FeedEntry, FeedEvent } from './engine-event.ts';
import { handAgain } from './hand-again.ts';
import type { SessionId, TurnId } from './ids.ts';
import { canBecome, type SessionState } from './session.ts';
import { holdsEngineUp } from './approval.ts';
import { failAnswer, keptApprovals, NO_APPROVALS, reduceApproval } from './approval-reduce.ts';
import { reduceBlocked } from './blocked-reduce.ts';
import { reduceBreach } from './breach-reduce.ts';
import { reduceFork } from './fork.ts';
import { reduceModel } from './model-reduce.ts';
import { reduceTakeover } from './takeover-reduce.ts';
import type { SessionView, TurnView } from './session-view.ts';
import { breaksSilence } from './silence.ts';
import { addUsage } from './usage.ts';
import { isClaimed } from './gated-act.ts';
import { newTurn } from './new-turn.ts';
import { sumWitnessed } from './witness.ts';

/** The view of a session whose record begins with `entry`, which must be `session/created`. */
export function openView(
  sessionId: SessionId,
  at: number,
  created: EventOf<'session/created'>,
): SessionView {
  return {
    sessionId,
    launch: created.launch,
    actorId: created.actorId,
    state: 'queued',
    stateAt: at,
    createdAt: at,
    updatedAt: at,
    heardAt: at,
    stages: { queued: at },
    launchId: null,
    failure: null,
    dismissed: null,
    takeover: null,
    blocked: null,
    reason: null,
    engine: null,
    checkout: null,
    turns: [],
    openTurnId: null,
    pendingApprovals: [],
    answeredRequestIds: [],
    spend: {},
    acts: 0,
    breaches: [],
  };
}

/**
 * Applies one entry of the record to the view. Used by the feed, which owns the state, by the
 * console and by the CLI, so that all of them agree by construction. Never throws: an entry
 * that would make an impossible transition leaves the state as it is.
 */
export function reduceSession(view: SessionView, entry: FeedEntry): SessionView {
  const heardAt = breaksSilence(entry.event) ? entry.at : view.heardAt;
  const next = { ...applyEvent(view, entry.event, entry.at), updatedAt: entry.at, heardAt };
  if (next.restartAskedAt && endsRestart(entry.event)) next.restartAskedAt = null;
  // A dismissal is of one failure: the next one asks for attention again.
  return next.state === view.state ? next : { ...next, dismissed: null };
}

/** Whether a restart that was asked for is over with this, or will not come. */
function endsRestart(event: FeedEvent): boolean {
  switch (event.type) {
    // A process that was about to end in any case is gone without being parked.
    case 'engine/exited':
    case 'engine/parked':
    case 'engine/ready':
    case 'launch/failed':
    case 'session/halted':
    case 'session/ended':
      return true;
    case 'command/failed':
      return event.method === 'session/restart';
    default:
      return false;
  }
}

function become(view: SessionView, to: SessionState, at: number): SessionView {
  if (view.state === to || !canBecome(view.state, to)) return view;
  return { ...view, state: to, stateAt: at };
}

function applyEvent(view: SessionView, event: FeedEvent, at: number): SessionView {
  switch (event.type) {
    case 'session/created':
    case 'setup/ran':
    case 'text/completed':
    case 'tool/started':
    case 'tool/ended':
    case 'act/ended':
    case 'act/witnessed':
    case 'rateLimit/reported':
    case 'notice/raised':
    case 'engine/exited':
      return view;
    case 'command/failed':
      return failCommand(view, event, at);
    case 'action/requested':
      return applyAction(view, event, at);
    case 'launch/staged':
      return stage(view, event, at);
    case 'launch/failed':
      return {
        ...become(view, event.state, at),
        failure: {
          error: event.error,
          stage: event.stage,
          elapsedMs: event.elapsedMs,
          stderrTail: event.stderrTail,
        },
        reason: event.error.message,
        blocked: null,
        openTurnId: null,
        ...keptApprovals(view),
      };
    case 'engine/ready':
      return ready(view, event, at);
    case 'engine/parked':
      return become({ ...view, openTurnId: null, ...keptApprovals(view) }, 'parked', at);
    case 'engine/blocked':
    case 'engine/unblocked':
      return reduceBlocked(view, event, at, become);
    case 'session/halted':
      return { ...become(view, 'halted', at), reason: event.message };
    case 'session/forked':
      return reduceFork(view, event);
    case 'breach/found':
    case 'breach/overridden':
    case 'session/resumed':
      return reduceBreach(view, event, at, become);
    case 'session/ended':
      return {
        ...become(view, event.end, at),
        takeover: null,
        blocked: null,
        reason: event.reason,
        openTurnId: null,
        ...(event.end === 'lost' ? NO_APPROVALS : keptApprovals(view)),
      };
    case 'checkout/prepared':
      return {
        ...view,
        checkout: {
          mode: event.mode,
          directory: event.directory,
          branch: event.branch,
          commit: event.baseCommit,
          commits: view.checkout?.commits ?? 0,
          uncommittedFiles: 0,
          ...(event.grade && { grade: event.grade }),
        },
      };
    case 'checkout/broughtBack':
      return {
        ...view,
        checkout: view.checkout && {
          ...view.checkout,
          branch: event.branch,
          commit: event.commit,
          commits: event.commits,
          uncommittedFiles: event.uncommittedFiles,
        },
      };
    case 'takeover/began':
    case 'takeover/released':
    case 'terminal/opened':
    case 'terminal/closed':
      return reduceTakeover(view, event, at, become);
    case 'turn/accepted':
      return acceptTurn(view, event, at);
    case 'turn/delivered':
      return patchTurn(view, event.turnId, {
        delivery: event.delivery,
        deliveryReason: event.reason,
      });
    case 'turn/briefed': {
      const { turns, chars } = event;
      return patchTurn(view, event.turnId, { briefed: { turns, chars } });
    }
    case 'turn/witnessed':
      return patchTurn(view, event.turnId, { witnessed: sumWitnessed(event) });
    case 'turn/started':
      return startTurn(view, event, at);
    case 'turn/ended':
      return endTurn(view, event, at);
    case 'usage/recorded': {
      const spend = event.entries.reduce(addUsage, view.spend);
      const withSpend = { ...view, spend };
      if (!event.turnId) return withSpend;
      const turn = view.turns.find((candidate) => candidate.turnId === event.turnId);
      if (!turn) return withSpend;
      return patchTurn(withSpend, event.turnId, {
        spend: event.entries.reduce(addUsage, turn.spend),
      });
    }
    case 'brain/answered':
      return {
        ...view,
        spend: addUsage(view.spend, event.usage),
        brainSpend: addUsage(view.brainSpend ?? {}, event.usage),
      };
    case 'model/routed':
    case 'model/metered':
      return reduceModel(view, event);
    case 'act/seen': {
      // Claimed in the stream and counted there.
      if (isClaimed(event.act)) return view;
      const counted = { ...view, acts: view.acts + 1 };
      const turn = view.turns.find((candidate) => candidate.turnId === event.act.turnId);
      return turn ? patchTurn(counted, turn.turnId, { acts: turn.acts + 1 }) : counted;
    }
    case 'approval/requested':
    case 'approval/decided':
    case 'approval/resolved':
      return reduceApproval(view, event, at, (next) => awaitPerson(next, at));
    default:
      return event satisfies never;
  }
}

function applyAction(
  view: SessionView,
  event: EventOf<'action/requested'>,
  at: number,
): SessionView {
  switch (event.action) {
    case 'interrupt':
    case 'stop':
      return view;
    case 'retry':
      return relaunch(
        event.policy ? { ...view, launch: { ...view.launch, policy: event.policy } } : view,
        at,
      );
    case 'compact':
      // The same request heard again is the same.
      if (view.compactedAt === at) return view;
      return {
        ...view,
        compactedAt: at,
        compactedBefore: view.compactedAt ?? null,
        compactedAfter: view.turns.at(-1)?.turnId ?? null,
      };
    case 'restart':
      return { ...view, restartAskedAt: view.restartAskedAt ?? at };
    case 'dismiss':
      return { ...view, dismissed: { actorId: event.actorId, at } };
    case 'restore':
      return { ...view, dismissed: null };
    default:
      return event.action satisfies never;
  }
}

/**
 * What a failed command leaves behind: an instruction that no engine has, an answer that may be
 * given again, a launch that did not happen. A launch failure of the runner's own says more, and
 * replaces this one when it comes.
 */
function failCommand(view: SessionView, event: EventOf<'command/failed'>, at: number): SessionView {
  const turn = view.turns.find((candidate) => candidate.turnId === event.turnId);
  const lost = turn?.state === 'accepted' && turn.delivery !== 'confirmed';
  const unknown = turn?.delivery === 'handed' || event.code === 'unknown_outcome';
  // The machine would not open a terminal: whoever asked drives nothing.
  const takeover = event.method === 'session/takeover' ? null : (view.takeover ?? null);
  const kept = { ...failAnswer(view, event), takeover };
  // The conversation is as long as before, which may have been begun anew earlier.
  if (event.method === 'session/compact') kept.compactedAt = view.compactedBefore ?? null;
  const told = lost
    ? patchTurn(kept, turn.turnId, {
        delivery: unknown ? 'unknown' : 'undelivered',
        deliveryReason: event.message,
      })
    : kept;
  if (event.method !== 'session/start' || view.state !== 'queued') return told;
  return {
    ...become(told, 'failed_to_start', at),
    failure: {
      error: { code: 'unknown', message: event.message },
      stage: 'queued',
      elapsedMs: Math.max(0, at - view.stateAt),
      stderrTail: [],
    },
    reason: event.message,
  };
}

function relaunch(view: SessionView, at: number): SessionView {
  const queued = become(view, 'queued', at);
  const turns = view.turns.map(handAgain);
  return { ...queued, turns, stages: { queued: at }, failure: null, reason: null, takeover: null };
}

function stage(view: SessionView, event: EventOf<'launch/staged'>, at: number): SessionView {
  const relaunched = view.launchId !== event.launchId;
  const stages = relaunched ? { queued: view.stages.queued ?? at } : view.stages;
  const staged = {
    ...view,
    launchId: event.launchId,
    stages: { ...stages, [event.stage]: at },
    failure: null,
    reason: null,
  };
  return become(staged, event.stage, at);
}

function ready(view: SessionView, event: EventOf<'engine/ready'>, at: number): SessionView {
  const confirmed = {
    ...view,
    launchId: event.launchId,
    stages: { ...view.stages, bootstrap_confirmed: view.stages.bootstrap_confirmed ?? at },
    engine: {
      engineSessionId: event.engineSessionId,
      version: event.engineVersion,
      model: event.model,
      payer: event.payer,
      credential: event.credential,
    },
  };
  return goOn(become(confirmed, 'bootstrap_confirmed', at), at);
}

function acceptTurn(view: SessionView, event: EventOf<'turn/accepted'>, at: number): SessionView {
  const known = view.turns.find((turn) => turn.turnId === event.turnId);
  if (known) return patchTurn(view, event.turnId, handAgain(known));
  const turn = newTurn(event.turnId, at, event.text, event.actorId);
  const turns = [...view.turns, event.images ? { ...turn, images: event.images } : turn];
  return { ...view, turns, ...(view.approvalExpiredAt && { approvalExpiredAt: null }) };
}

function startTurn(view: SessionView, event: EventOf<'turn/started'>, at: number): SessionView {
  const known = view.turns.some((turn) => turn.turnId === event.turnId);
  // What is done in the engine's own terminal is whose it is who drives there.
  const driver = event.origin === 'terminal' ? (view.takeover?.actorId ?? null) : null;
  const turns = known ? view.turns : [...view.turns, newTurn(event.turnId, at, null, driver)];
  const started = patchTurn({ ...view, turns, openTurnId: event.turnId }, event.turnId, {
    state: 'started',
    origin: event.origin,
    startedAt: at,
  });
  return become(started, 'working', at);
}

function endTurn(view: SessionView, event: EventOf<'turn/ended'>, at: number): SessionView {
  const ended = patchTurn(view, event.turnId, {
    state: 'ended',
    endedAt: at,
    outcome: event.outcome,
    error: event.error,
    usage: event.usage,
    actsObserved: event.acts,
  });
  if (view.openTurnId !== null && view.openTurnId !== event.turnId) return ended;
  return goOn({ ...ended, openTurnId: null, ...keptApprovals(ended) }, at);
}

/** At work or idle, unless halted: the engine's last words do not lift a halt. */
function goOn(view: SessionView, at: number): SessionView {
  if (view.state === 'halted') return view;
  return become(view, view.openTurnId ? 'working' : 'idle', at);
}

/** A question waits for an answer in words, an approval for a yes or no. */
function awaitPerson(view: SessionView, at: number): SessionView {
  const first = view.pendingApprovals.find(holdsEngineUp);
  if (first)
    return become(view, first.kind === 'question' ? 'awaiting_human' : 'awaiting_approval', at);
  return goOn(view, at);
}

function patchTurn(view: SessionView, turnId: TurnId, patch: Partial<TurnView>): SessionView {
  const turns = view.turns.map((turn) => (turn.turnId === turnId ? { ...turn, ...patch } : turn));
  return { ...view, turns };
}
