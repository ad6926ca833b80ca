import type { SessionState } from '../../protocol/session.ts';
import { type Tone, wordOfState } from '../format/state.ts';
import { cx } from '../lib/class-names.ts';

const DOTS: Record<Tone, string> = {
  live: 'bg-accent animate-pulse-live',
  needs: 'bg-amber',
  failed: 'bg-red',
  quiet: 'border border-line-strong',
};

const WORDS: Record<Tone, string> = {
  live: 'text-accent',
  needs: 'text-amber font-medium',
  failed: 'text-red',
  quiet: 'text-soft',
};

/** A session's state: one word, one dot, its meaning on hover. Only what works pulses. */
export function StateBadge({ state }: { state: SessionState }) {
  const { word, tone, meaning } = wordOfState(state);
  return (
    <span
      className={cx('inline-flex items-center gap-1.5 whitespace-nowrap', WORDS[tone])}
      title={meaning}
      data-state={state}
    >
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', DOTS[tone])} />
      {word}
    </span>
  );
}
