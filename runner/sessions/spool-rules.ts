import { beginEnding, tooMuchOutput } from './endings.ts';
import { emit, type Draft } from './session-io.ts';
import { isAtWork } from './session-state.ts';
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
  if (bytes > turnBytes) endFlood(draft);
  if (bytes > endBytes) endAtOnce(draft);
}

function endFlood(draft: Draft): void {
  const { phase } = draft.state;
  const error = tooMuchOutput(draft.config);
  switch (phase.kind) {
    case 'booting':
      // It wrote a lot without a word that is understood: what it did meanwhile nobody knows.
      leaveUnknown(draft);
      failLaunch(draft, 'provider_failed', error, []);
      return endProcess(draft, { why: 'fail' });
    case 'ready':
      emit(draft, { type: 'notice/raised', level: 'error', ...error });
      return beginEnding(draft, { why: 'flood' });
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
