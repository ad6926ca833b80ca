import type { EngineError, EngineEvent } from '../../protocol/engine-event.ts';
import { emit, patch, type Draft } from './session-io.ts';
import { isOneShot, silentUntil, type Ending, type SessionConfig } from './session-state.ts';
import { endProcess, endSession, settleStart } from './session-steps.ts';

/** Ends the process for `ending`, a turn under way by the engine's own way first. */
export function beginEnding(draft: Draft, ending: Ending): void {
  const { phase, openTurnId } = draft.state;
  switch (phase.kind) {
    case 'preparing':
    case 'spawning':
      return patch(draft, { afterwards: ending });
    case 'backoff':
      settleStart(draft, null);
      return endSession(draft);
    case 'resting':
    case 'over':
      return endSession(draft);
    case 'booting':
      return endProcess(draft, ending);
    case 'ready':
      if (openTurnId === null || !draft.config.capabilities.interrupt)
        return endProcess(draft, ending);
      // By protocol first: it is the one way in which every engine ends its own tools.
      draft.effects.push({ kind: 'interrupt' });
      return patch(draft, {
        phase: { kind: 'interrupting', ending, deadlineAt: draft.nowMs + draft.config.interruptMs },
      });
    case 'driven':
      return closeTerminal(draft, ending.why === 'stop' ? 'stopped' : 'runner_restarted');
    case 'interrupting':
      return patch(draft, { phase: { ...phase, ending } });
    case 'ending':
      return patch(draft, { phase: { kind: 'ending', ending } });
    default:
      return phase satisfies never;
  }
}

/** Closes the person's terminal. What was said first stands, but for a stop, which ends the session. */
export function closeTerminal(
  draft: Draft,
  why: 'released' | 'stopped' | 'runner_restarted',
): void {
  const { phase } = draft.state;
  if (phase.kind !== 'driven') return;
  if (phase.closing === null) draft.effects.push({ kind: 'closeTerminal' });
  if (phase.closing === null || why === 'stopped')
    patch(draft, { phase: { ...phase, closing: why } });
}

/** Asks the turn to end, by the engine's own way. A one-shot engine is ended if that does not end it in time. */
export function interruptTurn(draft: Draft): void {
  if (isOneShot(draft.config)) return beginEnding(draft, { why: 'turn' });
  draft.effects.push({ kind: 'interrupt' });
}

/** The one time limit on work: an engine that hangs says nothing, and says it for long. */
export function endSilent(draft: Draft): void {
  const until = silentUntil(draft.state);
  if (until === null || draft.nowMs < until) return;
  emit(draft, {
    type: 'notice/raised',
    level: 'error',
    code: 'no_output',
    message: silenceSentence(draft.state.launch.noOutputMs),
  });
  beginEnding(draft, { why: 'silent' });
}

const RESTARTED: EngineError = {
  code: 'unknown',
  message:
    'The engine was restarted in the middle of this turn, because a person asked for it. The work up to there stands, and the conversation goes on in a new process.',
};

/** A turn that was ended for its silence, for its output or by a restart says so; its engine cannot know. */
export function withReason(draft: Draft, event: EngineEvent): EngineEvent {
  if (event.type !== 'turn/ended' || event.error) return event;
  const ending = 'ending' in draft.state.phase ? draft.state.phase.ending : null;
  if (ending?.why === 'park' && ending.reason === 'restarted' && event.outcome !== 'ok')
    return { ...event, outcome: 'interrupted', error: RESTARTED };
  const error = reasonOf(draft);
  return error ? { ...event, outcome: 'killed', error } : event;
}

function reasonOf({ state, config }: Draft): EngineError | null {
  const ending = 'ending' in state.phase ? state.phase.ending : null;
  if (ending?.why === 'silent')
    return { code: 'no_output', message: silenceSentence(state.launch.noOutputMs) };
  if (ending?.why !== 'flood') return null;
  return ending.of === 'open' ? tooMuchOpen(config) : tooMuchOutput(config);
}

/** Says that its output ended a turn, and what to do. */
export function tooMuchOutput({ spool }: SessionConfig): EngineError {
  const size = `${Math.round(spool.turnBytes / 1024 ** 2)} MB`;
  const message = `The engine wrote more than ${size} in one turn, the most that is kept of one, so it was ended. The work up to there stands. Send the instruction again in smaller parts, or ask for less output.`;
  return { code: 'output_too_large', message };
}

/** Says that what it left open ended a turn, and what to do. */
export function tooMuchOpen({ spool }: SessionConfig): EngineError {
  const size = `${Math.round(spool.keptChars / 1024 ** 2)} million characters`;
  const message = `The engine began more texts, calls and requests than it ended: ${size} of them were open, the most that is kept, so it was ended. The work up to there stands. Send the instruction again, and look for a newer version of the engine if it happens again.`;
  return { code: 'output_too_large', message };
}

/** Says that silence ended a turn, and what to do. */
function silenceSentence(noOutputMs: number): string {
  const minutes = noOutputMs / 60_000;
  const time = minutes > 1 ? `${Math.round(minutes * 10) / 10} minutes` : `${noOutputMs / 1000} s`;
  return `The engine said nothing for ${time}, the limit of this session, so it was ended. The work up to there stands. Send the instruction again, or launch with a higher limit if the work is silent for that long.`;
}
