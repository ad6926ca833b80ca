import type { SessionState } from '../../protocol/session.ts';

/** `live` works, `needs` waits for a person, `failed` went wrong, `quiet` is everything else. */
export type Tone = 'live' | 'needs' | 'failed' | 'quiet';
/** How a state is named and what it means to a person. */
export type StateWord = { word: string; tone: Tone; meaning: string };

const WORDS = {
  queued: { word: 'Queued', tone: 'live', meaning: 'Waiting for the machine to take it.' },
  spawned: { word: 'Starting', tone: 'live', meaning: 'The engine’s process was started.' },
  bootstrap_submitted: {
    word: 'Starting',
    tone: 'live',
    meaning: 'The engine was spoken to and has not answered yet.',
  },
  bootstrap_confirmed: { word: 'Ready', tone: 'quiet', meaning: 'The engine answered.' },
  idle: { word: 'Idle', tone: 'quiet', meaning: 'Waiting for your next instruction.' },
  working: { word: 'Working', tone: 'live', meaning: 'A turn is under way.' },
  awaiting_approval: {
    word: 'Needs approval',
    tone: 'needs',
    meaning: 'It waits for your yes or no.',
  },
  awaiting_human: { word: 'Asks you', tone: 'needs', meaning: 'It waits for your answer.' },
  waiting_until: { word: 'Waiting', tone: 'quiet', meaning: 'It goes on by itself at a set time.' },
  paused: { word: 'Paused', tone: 'quiet', meaning: 'It was paused and keeps its place.' },
  blocked: { word: 'Blocked', tone: 'needs', meaning: 'It cannot go on without you.' },
  halted: {
    word: 'Halted',
    tone: 'failed',
    meaning: 'It was halted: a limit or its policy is at stake.',
  },
  taken_over: { word: 'Taken over', tone: 'quiet', meaning: 'A person holds its input.' },
  parked: {
    word: 'Parked',
    tone: 'quiet',
    meaning: 'The engine’s process has ended; the next instruction resumes it.',
  },
  failed_to_start: {
    word: 'Did not start',
    tone: 'failed',
    meaning: 'The engine could not be started.',
  },
  bootstrap_stalled: {
    word: 'Stalled at start',
    tone: 'failed',
    meaning: 'The engine started and never answered.',
  },
  provider_failed: {
    word: 'Provider refused',
    tone: 'failed',
    meaning: 'The engine started, and its provider turned it away.',
  },
  finished: { word: 'Finished', tone: 'quiet', meaning: 'It ended by itself.' },
  stopped: { word: 'Stopped', tone: 'quiet', meaning: 'A person stopped it.' },
  failed: { word: 'Failed', tone: 'failed', meaning: 'It ended on a failure.' },
  lost: {
    word: 'Lost',
    tone: 'failed',
    meaning: 'Its machine went away, so how it ended is not known.',
  },
} as const satisfies Record<SessionState, StateWord>;

/** The one form in which a state is shown. */
export const wordOfState = (state: SessionState): StateWord => WORDS[state];
