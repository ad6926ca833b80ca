import { Check } from 'lucide-react';
import { LAUNCH_STAGES, type LaunchStage } from '../../protocol/launch.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { formatAbsolute, formatDuration } from '../format/time.ts';
import { cx } from '../lib/class-names.ts';
import { useNow } from '../lib/use-now.ts';

const WORDS: Record<LaunchStage, string> = {
  queued: 'Queued',
  spawned: 'Process started',
  bootstrap_submitted: 'Spoken to',
  bootstrap_confirmed: 'Engine answered',
};

/** Which stages a launch has passed and when; the one it waits in counts up. */
export function LaunchStages({ view }: { view: SessionView }) {
  const now = useNow('second');
  const launching = phaseOf(view.state) === 'launching';
  const queuedAt = view.stages.queued ?? view.createdAt;
  const reached = LAUNCH_STAGES.filter((stage) => view.stages[stage] !== undefined);
  const latest = reached.at(-1);
  return (
    <ol className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {LAUNCH_STAGES.map((stage) => {
        const at = view.stages[stage];
        const waiting = launching && stage === latest;
        return (
          <li
            key={stage}
            className={cx(
              'flex items-center gap-1.5',
              at === undefined ? 'text-faint' : 'text-soft',
            )}
            aria-current={waiting ? 'step' : undefined}
          >
            {waiting ? (
              <span aria-hidden className="size-2 animate-pulse-live rounded-full bg-accent" />
            ) : at === undefined ? (
              <span aria-hidden className="size-2 rounded-full border border-line-strong" />
            ) : (
              <Check className="size-3.5!" />
            )}
            {WORDS[stage]}
            {at !== undefined && (
              <span className="figure text-faint" title={formatAbsolute(at)}>
                {waiting
                  ? formatDuration(Math.max(0, Math.floor((now - at) / 1_000) * 1_000))
                  : `+${formatDuration(Math.max(0, at - queuedAt))}`}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Shown while a session is being launched, and gone once it works. */
export function LaunchProgress({ view }: { view: SessionView }) {
  if (phaseOf(view.state) !== 'launching') return null;
  return (
    <section className="border-b bg-raised px-4 py-2" aria-label="Launch">
      <LaunchStages view={view} />
    </section>
  );
}
