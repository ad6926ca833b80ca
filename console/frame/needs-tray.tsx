import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo } from 'react';
import type { SessionSummary } from '../../protocol/http.ts';
import { wordOfState } from '../format/state.ts';
import { budgetsQuery } from '../api/budgets.ts';
import { recentSessionsQuery } from '../api/queries.ts';
import { plural } from '../format/count.ts';
import { askOfPilot } from '../../protocol/pilot-view.ts';
import { PilotAsks } from '../pilot/asks-mark.tsx';
import { cx } from '../lib/class-names.ts';
import { HeldOperatorLink, useHeldOperators } from '../operators/held-operators.tsx';
import { nameOfCall, useWaitingCalls } from '../operators/waiting-calls.tsx';
import { useNow } from '../lib/use-now.ts';
import { StateBadge } from '../ui/state-badge.tsx';
import { BellChoice } from './bell.tsx';
import { budgetWarnings } from './budget-warnings.ts';
import { decideNeeds } from './needs.ts';
import { useBell } from './notifications.ts';
import { useNotifications } from './use-notifications.ts';

/** Its state, or what waits for a person whatever the session does meanwhile, as a push does. */
function WhatItNeeds({ session: { state, pendingApprovals, pilot } }: { session: SessionSummary }) {
  if (pendingApprovals === 0 && askOfPilot(pilot) !== null) return <PilotAsks pilot={pilot} />;
  if (pendingApprovals > 0 && wordOfState(state).tone !== 'needs')
    return (
      <span className="shrink-0 text-sm text-amber">{plural(pendingApprovals, 'approval')}</span>
    );
  return <StateBadge state={state} />;
}

const ROW = 'flex min-h-10 items-center gap-3 rounded-sm px-2 hover:bg-sunken';

/** Most of what needs somebody that the tray lists; it counts all. */
const SHOWN = 12;

/** What needs a person, one glance away on every page. */
export function NeedsTray() {
  const bell = useBell();
  // A page in the background asks nobody, unless somebody wants to be told there.
  const { data } = useQuery({ ...recentSessionsQuery, refetchIntervalInBackground: bell === 'on' });
  const now = useNow('minute');
  const needs = useMemo(() => decideNeeds(data ?? [], now).needs, [data, now]);
  const calls = useWaitingCalls(bell === 'on');
  const held = useHeldOperators(bell === 'on');
  const budgets = useQuery({ ...budgetsQuery, refetchIntervalInBackground: bell === 'on' }).data;
  const warnings = useMemo(() => (budgets ? budgetWarnings(budgets) : null), [budgets]);
  useNotifications(data ? needs : null, warnings);
  const count = needs.length + calls.length + held.length;
  const label = count === 0 ? 'Nothing needs you' : `${count} need you`;
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={label}
        title={label}
        className={cx(
          'inline-flex h-8 items-center gap-1.5 rounded-md border px-2',
          count > 0
            ? 'border-amber-line bg-amber-wash font-medium text-amber'
            : 'border-transparent text-faint hover:bg-sunken',
        )}
      >
        <Bell />
        {count > 0 && <span className="figure">{count}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 w-[min(360px,calc(100vw-16px))] rounded-md border border-line-strong bg-raised p-1 animate-appear"
        >
          {count === 0 && (
            <p className="px-2 py-3 text-soft">
              Nothing needs you. Approvals, questions and failures appear here.
            </p>
          )}
          {held.slice(0, SHOWN).map((each) => (
            <Popover.Close asChild key={each.instanceId}>
              <HeldOperatorLink held={each} className={ROW} />
            </Popover.Close>
          ))}
          {calls.slice(0, SHOWN).map(({ request, name }) => (
            <Popover.Close asChild key={`${request.instanceId} ${request.callId}`}>
              <Link
                to="/operators/$instanceId"
                params={{ instanceId: request.instanceId }}
                className={ROW}
              >
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <code className="truncate text-sm text-amber">{nameOfCall(request)}</code>
              </Link>
            </Popover.Close>
          ))}
          {needs.slice(0, Math.max(0, SHOWN - calls.length)).map((session) => (
            <Popover.Close asChild key={session.sessionId}>
              <Link
                to="/sessions/$sessionId"
                params={{ sessionId: session.sessionId }}
                className={ROW}
              >
                <span className="min-w-0 flex-1 truncate">{session.title}</span>
                {session.breaches > 0 && (
                  <span className="shrink-0 text-sm font-medium text-red">
                    {plural(session.breaches, 'forbidden act')}
                  </span>
                )}
                <WhatItNeeds session={session} />
              </Link>
            </Popover.Close>
          ))}
          {warnings?.map(({ tag, body }) => (
            <Popover.Close asChild key={tag}>
              <Link to="/settings" className="block rounded-sm px-2 py-2 text-sm hover:bg-sunken">
                {body}
              </Link>
            </Popover.Close>
          ))}
          <div className="mt-1 border-t">
            <BellChoice />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
