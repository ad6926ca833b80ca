import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Words } from '../ui/words.tsx';
import type { HeldPress } from '../lib/use-held-press.ts';
import type { forkTerms } from '../../protocol/fork.ts';
import type { ApprovalsMode } from '../../protocol/launch.ts';
import type { Decision, OwnAsking } from './draft.ts';
import type { LaunchImagesHeld } from './launch-images.ts';
import { summariseLaunch } from './words.ts';

type LaunchSummaryProps = {
  decision: Decision;
  /** Those of the session that is forked. */
  terms: ReturnType<typeof forkTerms> | null;
  names: {
    engine: string;
    machine: string;
    asks: readonly ApprovalsMode[];
    ownAsking: OwnAsking | null;
  };
  /** How much power the session will hold, and why. */
  grade: string | null;
  busy: boolean;
  images: LaunchImagesHeld;
  /** The press that waits, and for what; null where nothing has to be waited for. */
  waiting: HeldPress;
  awaited: string | null;
};

/** The last look: the launch in one sentence, the command that does the same, the button. */
export function LaunchSummary({
  decision,
  terms,
  names,
  grade,
  busy,
  images,
  waiting,
  awaited,
}: LaunchSummaryProps) {
  const ready = decision.kind === 'ready';
  const missing = ready ? [] : Object.values(decision.problems);
  return (
    <div className="mb-8 rounded-md border border-line-strong bg-raised p-4">
      <p className="text-md" aria-live="polite">
        {ready ? summariseLaunch(decision.request, names) : (awaited ?? missing[0])}
        {waiting.held && ' The launch goes out as soon as it has.'}
      </p>
      {ready && grade !== null && (
        <p className="mt-1 text-sm text-soft">
          <Words text={grade} />
        </p>
      )}
      {ready && (
        <details className="mt-2">
          <summary className="w-fit text-sm text-accent">The same in a terminal</summary>
          <div className="mt-2">
            <Command text={cliTwin.launch(decision.request, terms, images.attached)} />
            {images.attached.length > 0 && (
              <p className="mt-1 text-sm text-soft">
                The command names the images by their files: write where each of them is.
              </p>
            )}
          </div>
        </details>
      )}
      <div className="mt-3 flex items-center gap-3">
        <Button kind="primary" type="submit" busy={busy || waiting.held} reason={images.reason}>
          {busy ? 'Launching…' : waiting.held ? `Waiting for ${names.machine}…` : 'Launch'}
        </Button>
        {waiting.held ? (
          <Button kind="quiet" onClick={waiting.stop}>
            Do not launch
          </Button>
        ) : (
          <span className="text-sm text-faint">Ctrl Enter</span>
        )}
      </div>
    </div>
  );
}
