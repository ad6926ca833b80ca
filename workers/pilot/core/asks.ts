import type { ErrorCode } from '../../../protocol/errors.ts';
import { isPilotOver, type PilotAsk } from '../../../protocol/pilot.ts';
import { sendUnsent } from './anew.ts';
import { instruct } from './instruct.ts';
import { end, goOn, goOnRested, pause, think } from './moves.ts';
import type { PilotState } from './state.ts';

/** Why a person's wish cannot be met as the run stands; null when it can. */
export function refusalOf(state: PilotState, ask: PilotAsk): ErrorCode | null {
  if (isPilotOver(state.status)) return 'pilot_over';
  switch (ask.action) {
    case 'resume':
      if (state.hold === 'proposal') return 'pilot_proposes';
      if (state.hold === 'takeover') return 'taken_over';
      return isStanding(state) || state.pauseNext ? null : 'pilot_not_waiting';
    case 'confirm':
      if (state.status !== 'waiting_person') return 'pilot_not_waiting';
      if (ask.step !== state.step) return 'pilot_moved_on';
      return ask.instruction === undefined && state.proposal === null ? 'pilot_needs_words' : null;
    case 'pause':
    case 'stop':
    case 'objective':
    case 'conversation':
      return null;
    default:
      return ask satisfies never;
  }
}

/** Whether a person is waited for, with or without a question. */
export const isStanding = ({ status }: Pick<PilotState, 'status'>): boolean =>
  status === 'waiting_person' || status === 'paused';

const stopWords = ({ open }: PilotState): string =>
  open === null
    ? 'Stopped by a person.'
    : 'Stopped by a person. A turn that runs is interrupted, and an instruction that waits for its machine is withdrawn.';

/** Decides what a person's wish does, which {@link refusalOf} has let through. */
export function decideAsk(state: PilotState, ask: PilotAsk): PilotState {
  const anew = state.effect?.do === 'anew';
  const sending = anew || state.effect?.do === 'instruct';
  switch (ask.action) {
    case 'pause':
      // What may be on its way already is followed, never forgotten.
      if (sending) return state.pauseNext ? state : { ...state, pauseNext: true };
      return state.status === 'paused' ? state : pause(state);
    case 'resume':
      if (state.pauseNext) return { ...state, pauseNext: false };
      return goOnRested({ ...state, marks: [], attempt: 0, away: null });
    case 'stop':
      return end(state, 'stopped', stopWords(state), { interrupt: true });
    case 'objective': {
      const { brain } = state.spec;
      const spec = ask.steps
        ? { ...state.spec, brain: { ...brain, steps: ask.steps } }
        : state.spec;
      const changed = { ...state, spec, objective: ask.objective, marks: [], unsent: null };
      if (anew) return sendUnsent(changed);
      if (state.status === 'deciding') return think(changed);
      if (
        state.status === 'waiting_person' &&
        (state.hold === 'proposal' || state.hold === 'question')
      )
        return goOn(changed);
      return changed;
    }
    case 'confirm':
      return instruct(
        { ...state, marks: state.hold === 'question' ? [] : state.marks },
        ask.instruction ?? state.proposal ?? '',
        // A person's own words may be about what was said: only a proposal says what is begun anew.
        { keep: ask.keep ?? state.hold !== 'proposal' },
      );
    case 'conversation': {
      if (Boolean(state.spec.beginsAnew) === ask.beginsAnew) return state;
      const wished = { ...state, spec: { ...state.spec, beginsAnew: ask.beginsAnew } };
      return anew && !ask.beginsAnew ? sendUnsent({ ...wished, begun: null }) : wished;
    }
    default:
      return ask satisfies never;
  }
}
