import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sessionId as sessionIdSchema, type SessionId } from '../../protocol/ids.ts';
import { titleOf } from '../../protocol/launch.ts';
import { meQuery, sessionQuery } from '../api/queries.ts';
import { isFinal, RequestFailure, sentenceOfCode } from '../errors.ts';
import { isCaughtUp } from '../feed/feed.ts';
import { canSteer } from '../../protocol/machine.ts';
import { useFeed } from '../feed/use-feed.ts';
import { StaleBar } from '../frame/offline-bar.tsx';
import { useReachability } from '../lib/reachability.ts';
import { PHONE, ROOM_FOR_SIDE, useMedia } from '../lib/use-media.ts';
import { BreachPanel } from '../session/breach-panel.tsx';
import { BlockedPanel } from '../session/blocked-panel.tsx';
import { Composer } from '../session/composer.tsx';
import { hearDraft } from '../session/draft.ts';
import { FailurePanel } from '../session/failure-panel.tsx';
import { LaunchProgress } from '../session/launch-progress.tsx';
import { PinnedApproval } from '../session/pinned-approval.tsx';
import { SessionHeader } from '../session/session-header.tsx';
import { useShareView } from '../session/share-view.ts';
import { SidePanel } from '../session/side/side-panel.tsx';
import { useMachine } from '../session/use-machine.ts';
import { TurnsRail } from '../session/turns-rail.tsx';
import { Driven } from '../takeover/driven.tsx';
import { useLeaseKey } from '../takeover/lease.ts';
import { TakeOver } from '../takeover/take-over.tsx';
import { type TranscriptHandle, TranscriptView } from '../transcript/transcript-view.tsx';
import { WorkDirectory } from '../transcript/shorten.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useTitle } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

/** `/sessions/:id`. An id that cannot be one is answered without asking anybody. */
export function SessionPage() {
  const { sessionId } = useParams({ from: '/house/sessions/$sessionId' });
  const parsed = sessionIdSchema.safeParse(sessionId);
  if (!parsed.success) {
    const message = sentenceOfCode('session_not_found');
    return (
      <main className="p-6">
        <ErrorPanel
          error={new RequestFailure('session_not_found', { message, retryable: false })}
        />
      </main>
    );
  }
  return <LiveSession key={parsed.data} sessionId={parsed.data} />;
}

function LiveSession({ sessionId }: { sessionId: SessionId }) {
  const detail = useQuery(sessionQuery(sessionId));
  const { feed, connection, reconnect, end } = useFeed(sessionId);
  const queryClient = useQueryClient();
  const reachability = useReachability();
  const isPhone = useMedia(PHONE);
  const hasRoom = useMedia(ROOM_FOR_SIDE);
  const [sideOpen, setSideOpen] = useState(false);
  const [showsTranscript, setShowsTranscript] = useState(false);
  const transcript = useRef<TranscriptHandle>(null);
  const showTurn = useCallback((turnId: string) => transcript.current?.showTurn(turnId), []);
  const view = feed.view ?? detail.data?.view ?? null;
  const runnerId = detail.data?.summary.runnerId ?? null;
  const side = view && (
    <SidePanel
      view={view}
      items={feed.transcript.items}
      presence={feed.presence}
      runnerId={runnerId}
    />
  );
  const leaseKey = useLeaseKey(sessionId, view?.takeover ?? null);
  const machine = useMachine(runnerId);
  const lost = connection.kind === 'offline' || connection.kind === 'ended';
  const over = isFinal(detail.error);
  useShareView(sessionId, feed.view);
  useTitle(view ? titleOf(view.launch.objective, 60) : 'Session');
  // A socket cannot say why it was refused; the route that reads the session can.
  useEffect(() => {
    if (lost) void queryClient.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey });
  }, [lost, queryClient, sessionId]);
  // A comment from the sheet is typed on below it.
  useEffect(() => hearDraft(sessionId, () => setSideOpen(false)), [sessionId]);
  const refused = connection.kind === 'ended';
  useEffect(() => {
    if (refused) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [refused, queryClient]);
  useEffect(() => {
    if (over) end();
  }, [over, end]);

  if (view === null || over) {
    return (
      <main id="main" className="min-h-0 flex-1 p-4">
        {detail.isError ? (
          <ErrorPanel error={detail.error} retry={() => void detail.refetch()} />
        ) : (
          <Skeleton label="Reading the session" rows={10} />
        )}
      </main>
    );
  }
  const record = isCaughtUp(feed) ? (
    <TranscriptView ref={transcript} feed={feed} view={view} answerInPlace={!isPhone} />
  ) : (
    <div className="min-h-0 flex-1 p-4">
      <Skeleton label="Reading the transcript" rows={8} />
    </div>
  );
  const takeOver = (
    <TakeOver view={view} runnerId={runnerId} presence={feed.presence} leaseKey={leaseKey} />
  );
  return (
    <WorkDirectory value={view.checkout?.directory ?? null}>
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        {/* When nothing answers at all, the bar of the whole console says so already. */}
        {connection.kind === 'offline' && reachability.reachable && (
          <StaleBar since={connection.since} retry={reconnect} />
        )}
        {feed.failure && (
          <p role="alert" className="bg-red-wash px-4 py-1.5 text-red">
            {feed.failure.message}
          </p>
        )}
        <SessionHeader
          view={view}
          summary={detail.data?.summary}
          presence={feed.presence}
          live={feed.live}
          openSide={hasRoom ? null : () => setSideOpen(true)}
        />
        {/* Whatever has to be said, the record and what is asked about it stay in sight. */}
        <div className="max-h-[55dvh] shrink-0 overflow-y-auto max-md:max-h-[45dvh]">
          <LaunchProgress view={view} />
          <BreachPanel view={view} />
          <BlockedPanel view={view} items={feed.transcript.items} />
          <FailurePanel view={view} items={feed.transcript.items} />
        </div>
        <div className="flex min-h-0 flex-1">
          <TurnsRail turns={view.turns} showTurn={showTurn} />
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            {view.takeover?.form === 'keys' ? (
              <Driven
                view={view}
                leaseKey={leaseKey}
                takeOver={takeOver}
                transcript={record}
                showsTranscript={showsTranscript}
                toggle={() => setShowsTranscript(!showsTranscript)}
              />
            ) : (
              <>
                {record}
                {isPhone && <PinnedApproval view={view} />}
                <Composer
                  view={view}
                  presence={feed.presence}
                  leaseKey={leaseKey}
                  steers={canSteer(machine, view.launch) === true}
                  seesImages={machine?.images === true}
                  takeOver={takeOver}
                />
              </>
            )}
          </div>
          {hasRoom && (
            <aside aria-label="About this session" className="w-[340px] shrink-0 border-l">
              {side}
            </aside>
          )}
        </div>
        <Dialog
          sheet
          open={sideOpen && !hasRoom}
          onOpenChange={setSideOpen}
          title="About this session"
        >
          <div className="-m-4 h-[70dvh]">{side}</div>
        </Dialog>
      </main>
    </WorkDirectory>
  );
}
