import type { ReactNode } from 'react';
import { SPEND_BUCKETS, type SpendTotals } from '../../protocol/usage.ts';
import { SESSION_STATES } from '../../protocol/session.ts';
import { RequestFailure } from '../errors.ts';
import { ApprovalCard, type AnswerState } from '../approvals/approval-card.tsx';
import { StaleBar } from '../frame/offline-bar.tsx';
import { cliTwin } from '../format/cli.ts';
import { Totals } from '../ledger/totals.tsx';
import { GalleryForks, GalleryPreviews } from '../mock/gallery-forks.tsx';
import { GalleryTranscript } from '../mock/gallery-transcript.tsx';
import { PLAN, QUESTION, TOOL_REQUEST } from '../mock/requests.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { PresenceMark } from '../ui/presence.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

const OPEN: AnswerState = { reason: null, busy: false, error: null, answer: () => undefined };
const ANSWERED: AnswerState = { ...OPEN, reason: 'Answered; the engine has not confirmed it yet.' };

const TOTALS: SpendTotals = Object.fromEntries(
  SPEND_BUCKETS.map((bucket, index) => [
    bucket,
    {
      microUsd: 10 ** index * 8_400,
      inputTokens: 1_200,
      outputTokens: 420,
      cacheReadTokens: 790_000,
      cacheWriteTokens: 600,
      entries: 3,
      unpriced: bucket === 'unmetered' ? 3 : bucket === 'estimated' ? 1 : 0,
    },
  ]),
);

const OPENED_AT = Date.now();

const FAILURE = new RequestFailure('runner_timeout', {
  message: 'The machine did not answer in time. Check that it is awake, then try again.',
  requestId: 'req-0123456789',
  retryable: true,
});

/** Every state of every part, in both themes at once. */
export function GalleryPage() {
  return (
    <main className="grid lg:grid-cols-2">
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} style={{ colorScheme: theme }} className="bg-paper p-4 text-ink">
          <h1 className="mb-4 text-lg font-semibold capitalize">{theme}</h1>
          <Parts />
        </div>
      ))}
    </main>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-sm font-semibold text-soft">{title}</h2>
      {children}
    </section>
  );
}

function Parts() {
  return (
    <>
      <Part title="States">
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {SESSION_STATES.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </div>
      </Part>
      <Part title="Presence">
        <div className="flex gap-4">
          <PresenceMark presence="online" name="lighthouse" />
          <PresenceMark presence="offline" name="lighthouse" />
          <PresenceMark presence="unknown" name="lighthouse" />
        </div>
      </Part>
      <Part title="Figures">
        <Totals totals={TOTALS} />
      </Part>
      <Part title="Buttons">
        <div className="flex flex-wrap gap-2">
          <Button kind="primary">Launch</Button>
          <Button>Interrupt</Button>
          <Button kind="quiet">Stop</Button>
          <Button kind="danger">Stop the session</Button>
          <Button busy>Launching…</Button>
          <Button reason="No turn is running, so there is nothing to interrupt.">Interrupt</Button>
        </div>
      </Part>
      <Part title="Empty, loading, offline, error">
        <div className="space-y-3">
          <Empty title="No session yet" action={<Button kind="primary">Launch a session</Button>}>
            A session is one conversation with a coding engine on one of your machines.
          </Empty>
          <Skeleton label="Reading" rows={3} />
          <StaleBar since={OPENED_AT - 134_000} retry={() => undefined} />
          <ErrorPanel error={FAILURE} retry={() => undefined} />
          <Command text={cliTwin.startRunner()} />
        </div>
      </Part>
      <Part title="What waits for a person">
        <div className="space-y-3">
          <ApprovalCard request={TOOL_REQUEST} sessionId="ses_gallery" state={OPEN} />
          <ApprovalCard request={QUESTION} sessionId="ses_gallery" state={OPEN} />
          <ApprovalCard request={PLAN} sessionId="ses_gallery" state={ANSWERED} />
        </div>
      </Part>
      <Part title="Forks">
        <GalleryForks />
      </Part>
      <Part title="What a session serves">
        <GalleryPreviews />
      </Part>
      <Part title="Transcript">
        <GalleryTranscript />
      </Part>
    </>
  );
}
