import type { PilotDecisionRow, PilotView } from '../../protocol/pilot-view.ts';

/** Where a Pilot stands, in a few words. */
export const STATUS_WORDS: Record<PilotView['status'], string> = {
  deciding: 'Deciding what is next',
  instructing: 'Handing an instruction over',
  waiting_turn: 'The engine works',
  judging: 'Reading what the turn did',
  waiting_person: 'Waits for you',
  waiting_until: 'Waits for a time',
  paused: 'Paused',
  finished: 'Finished',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** What a Pilot wants of a person, in a few words. */
export const PILOT_ASKS: Record<'proposal' | 'question', string> = {
  proposal: 'The Pilot proposes',
  question: 'The Pilot asks',
};

const NEXT_WORDS: Record<NonNullable<PilotDecisionRow['next']>, string> = {
  instruct: 'Instruct',
  finish: 'Finish',
  ask_human: 'Ask a person',
  wait_until: 'Wait',
};

/** What a brain answered, in a few words. */
export const nextWord = (next: PilotDecisionRow['next']): string =>
  next === null ? 'Nothing usable' : NEXT_WORDS[next];

/** Whether it can be resumed as it stands: a proposal wants a yes, a takeover the person's hands. */
export function canResume({ status, hold, pausing }: PilotView): boolean {
  if (hold === 'proposal' || hold === 'takeover') return false;
  return status === 'paused' || status === 'waiting_person' || pausing;
}

/** What decides, in a few words. */
export function brainWords({ brain, brainModel }: Pick<PilotView, 'brain' | 'brainModel'>): string {
  switch (brain) {
    case 'checklist':
      return 'its checks alone';
    case 'engine':
      return brainModel === null ? 'the engine itself' : `the engine itself, ${brainModel}`;
    case 'api':
      return brainModel ?? 'a model, by its API';
    default:
      return brain satisfies never;
  }
}
