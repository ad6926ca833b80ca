import { CircleAlert, RotateCw } from 'lucide-react';
import type { ProviderFailure } from '../../protocol/launch.ts';
import { can, phaseOf } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { actOnSession } from '../api/requests.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import type { Item } from '../feed/items.ts';
import { cliTwin } from '../format/cli.ts';
import { formatDuration } from '../format/time.ts';
import { wordOfState } from '../format/state.ts';
import { usePress } from '../lib/use-press.ts';
import { Dismiss } from '../sessions/dismiss.tsx';
import { Terminal } from '../transcript/output.tsx';
import { Button } from '../ui/button.tsx';
import { Words } from '../ui/words.tsx';
import { TryByHand } from './by-hand.tsx';
import { GoOnElsewhere } from './go-on.tsx';

/** What to do about each kind of failure. */
const REMEDIES: Record<ProviderFailure, string> = {
  auth_missing: `Log in to the engine on that machine; \`${cliTwin.doctor()}\` there says how. Then press Retry.`,
  auth_expired: `The login has expired. Log in again on that machine, then press Retry.`,
  rate_limited: 'Wait a few minutes, then press Retry.',
  quota_exhausted:
    'The account has nothing left. Add credit or wait for its reset, then press Retry.',
  model_not_found: 'Launch again with another model, or leave the choice to the engine.',
  overloaded: 'The provider is overloaded. Wait a little, then press Retry.',
  engine_missing: `Install the engine on that machine; \`${cliTwin.doctor()}\` there says how. Then press Retry.`,
  engine_too_old: 'Update the engine on that machine, then press Retry.',
  preflight_slow:
    'The machine or the engine was too slow to look at. Press Retry; if it stays so, do what is named above.',
  settings_unusable: 'Correct the settings that are named above on that machine, then press Retry.',
  workspace_refused: 'Change what is named above on that machine, or launch elsewhere.',
  conversation_lost:
    'Press Retry: a new conversation begins, and its engine is told the record of this one. One that was begun by hand is found only where it was begun.',
  engine_crashed: 'Read its last words below. When they name a cause, remove it, then press Retry.',
  no_output:
    'The engine started and said nothing. Try it by hand on that machine, then press Retry.',
  output_too_large:
    'Try the engine by hand on that machine: it should not write so much before it is ready. Then press Retry.',
  unknown: 'Read its last words below, then press Retry.',
};

/** Why a session failed or ended, with its engine's last words, and the way on. */
export function FailurePanel({ view, items }: { view: SessionView; items: readonly Item[] }) {
  const phase = phaseOf(view.state);
  const retry = usePress({ mutationFn: () => actOnSession(view.sessionId, 'retry') });
  if (phase !== 'failed' && phase !== 'ended' && view.state !== 'halted') return null;
  const { failure } = view;
  // Of a stop the state has said everything already.
  const reason = failure?.error.message ?? (view.state === 'stopped' ? null : view.reason);
  const wrong = wordOfState(view.state).tone === 'failed';
  const permission = can('retry', view.state);
  return (
    <section
      aria-label="How it ended"
      className={`border-b px-4 py-3 ${wrong ? 'bg-red-wash' : 'bg-raised'}`}
    >
      <div className="mx-auto flex max-w-4xl flex-wrap items-start gap-3">
        {wrong && <CircleAlert className="mt-0.5 text-red" />}
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium">{wordOfState(view.state).meaning}</p>
          {reason !== null && (
            <p className="break-words text-soft">
              <Words text={reason} />
            </p>
          )}
          {failure && (
            <>
              <p className="mt-1">
                <Words text={REMEDIES[failure.error.code]} />
              </p>
              <p className="mt-1 text-sm text-faint">
                {failure.error.code} · in stage {failure.stage} · after{' '}
                {formatDuration(failure.elapsedMs)}
              </p>
            </>
          )}
          {retry.isError && (
            <p role="alert" className="mt-1 text-red">
              <Words text={tellError(retry.error).sentence} />
            </p>
          )}
        </div>
        <Button
          kind={wrong ? 'primary' : 'plain'}
          reason={permission.allowed ? null : sentenceOfCode(permission.code)}
          busy={retry.isPending}
          onClick={() => retry.mutate()}
        >
          <RotateCw /> {phase === 'ended' ? 'Continue the conversation' : 'Retry'}
        </Button>
        <GoOnElsewhere view={view} />
        <Dismiss
          sessionId={view.sessionId}
          state={view.state}
          dismissedAt={view.dismissed?.at ?? null}
        />
        {failure && failure.stderrTail.length > 0 && (
          <div className="max-h-48 w-full overflow-y-auto rounded-md border bg-paper px-3 py-2">
            <Terminal text={failure.stderrTail.join('\n')} />
          </div>
        )}
        {wrong && <TryByHand view={view} items={items} />}
      </div>
    </section>
  );
}
