import { beginEnding, tooMuchOpen, tooMuchOutput } from './endings.ts';
import { emit, type Draft } from './session-io.ts';
import { type Ending, isAtWork } from './session-state.ts';
import { endProcess, failLaunch, leaveUnknown } from './session-steps.ts';

const UNREAD =
  'The engine wrote faster than it is read, so it was killed, and what it wrote last was not read. A tool call or a figure in that is not on record.';

/**
 * The engine's output file has `bytes` now. A file gives no back-pressure, so nothing but ending
 * the writer keeps one endless turn from filling the disk: by the engine's own way first, and by
 * force where that comes too late.
 */
export function spoolGrew(draft: Draft, bytes: number): void {
  const { phase } = draft.state;
  const { parkBytes, turnBytes, endBytes } = draft.config.spool;
  const betweenTurns = phase.kind === 'ready' && !isAtWork(draft.state);
  if (betweenTurns && bytes > parkBytes)
    return endProcess(draft, { why: 'park', reason: 'spool_full' });
  if (bytes > turnBytes) endFlood(draft, { why: 'flood' });
  if (bytes > endBytes) endAtOnce(draft);
}

/**
 * What the parser keeps, under names that the engine gives, has so many `chars`. No parser bounds its
 * own: whatever one of them may drop would be a call, an act or a request that nobody is told of.
 */
export function keptGrew(draft: Draft, chars: number): void {
  if (chars > draft.config.spool.keptChars) endFlood(draft, { why: 'flood', of: 'open' });
}

function endFlood(draft: Draft, ending: Extract<Ending, { why: 'flood' }>): void {
  const { phase } = draft.state;
  const error = ending.of === 'open' ? tooMuchOpen(draft.config) : tooMuchOutput(draft.config);
  switch (phase.kind) {
    case 'booting':
      // It wrote a lot without a word that is understood: what it did meanwhile nobody knows.
      leaveUnknown(draft);
      failLaunch(draft, 'provider_failed', error, []);
      return endProcess(draft, { why: 'fail' });
    case 'ready':
      emit(draft, { type: 'notice/raised', level: 'error', ...error });
      return beginEnding(draft, ending);
    case 'interrupting':
    case 'ending':
    case 'preparing':
    case 'backoff':
    case 'spawning':
    case 'resting':
    case 'driven':
    case 'over':
      return;
    default:
      return phase satisfies never;
  }
}

function endAtOnce(draft: Draft): void {
  const { phase } = draft.state;
  if (phase.kind !== 'interrupting' && phase.kind !== 'ending') return;
  emit(draft, { type: 'notice/raised', level: 'warning', code: 'output_unread', message: UNREAD });
  endProcess(draft, phase.ending, true);
}
