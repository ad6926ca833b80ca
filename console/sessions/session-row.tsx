import { Link } from '@tanstack/react-router';
import type { SessionSummary } from '../../protocol/http.ts';
import { PilotAsks } from '../pilot/asks-mark.tsx';
import { wordsOfGrade } from '../launch/words.ts';
import { plural } from '../format/count.ts';
import { Spend } from '../ui/spend.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { Ago } from '../ui/time.tsx';
import { Dismiss } from './dismiss.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';

/** One session in a list: what it is, how it stands, where, what it cost, when. */
export function SessionRow({ session }: { session: SessionSummary }) {
  const { reason, pendingApprovals, approvalExpiredAt, breaches } = session;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 hover:bg-sunken md:h-9 md:grid-cols-[132px_minmax(0,1fr)_minmax(0,200px)_110px_72px] md:py-0">
      <span className="order-2 justify-self-end md:order-none md:justify-self-start">
        <StateBadge state={session.state} />
      </span>
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: session.sessionId }}
          className="truncate font-medium after:absolute after:inset-0"
        >
          {session.title}
        </Link>
        {session.rehearsal && (
          <span className="hidden md:inline">
            <RehearsalLabel />
          </span>
        )}
        {breaches > 0 && (
          <span className="hidden shrink-0 text-sm font-medium text-red md:inline">
            {plural(breaches, 'forbidden act')}
          </span>
        )}
        {pendingApprovals > 0 && (
          <span className="hidden shrink-0 text-sm text-amber md:inline">
            {plural(pendingApprovals, 'approval')}
          </span>
        )}
        {approvalExpiredAt !== null && (
          <span className="hidden shrink-0 text-sm text-amber md:inline">
            an approval expired <Ago at={approvalExpiredAt} />
          </span>
        )}
        <PilotAsks pilot={session.pilot} />
        <span className="relative order-last">
          <Dismiss {...session} />
        </span>
        {reason !== null && (
          <span
            className="hidden min-w-1/4 flex-1 truncate text-sm text-faint lg:inline"
            title={reason}
          >
            {reason}
          </span>
        )}
      </span>
      <span
        className="order-3 truncate text-sm text-soft md:order-none"
        title={session.directory ?? ''}
      >
        {breaches > 0 && (
          // Beside the title it would leave that ten letters of a phone.
          <span className="font-medium text-red md:hidden">
            {plural(breaches, 'forbidden act')} ·{' '}
          </span>
        )}
        {session.engineId} on {session.runnerName}
        {session.grade !== null && (
          <span className="text-faint" title={wordsOfGrade(session.grade).meaning}>
            , {session.grade}
          </span>
        )}
      </span>
      <span className="relative order-4 justify-self-end text-sm md:order-none">
        <Spend totals={session.spend} />
      </span>
      <span className="hidden justify-self-end text-sm text-faint md:inline">
        <Ago at={session.updatedAt} />
      </span>
    </li>
  );
}

/** Sessions one below the other, each leading to its page. */
export function SessionList({ sessions }: { sessions: readonly SessionSummary[] }) {
  return (
    <ul className="divide-y overflow-hidden rounded-md border bg-raised">
      {sessions.map((session) => (
        <SessionRow key={session.sessionId} session={session} />
      ))}
    </ul>
  );
}
