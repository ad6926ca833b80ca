import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GateRequest } from '../../protocol/gate.ts';
import { waitingCallsQuery } from '../api/chat.ts';
import { instancesQuery } from '../api/operators.ts';
import { Ago } from '../ui/time.tsx';

/** A call of an operator that waits for the person, with what its instance is called. */
export type WaitingCall = { request: GateRequest; name: string };

/** The calls that wait, the oldest first. `inBackground`: also while nobody looks at the page. */
export function useWaitingCalls(inBackground = false): readonly WaitingCall[] {
  const { data: requests = [] } = useQuery({
    ...waitingCallsQuery,
    refetchIntervalInBackground: inBackground,
  });
  // Who asks matters only where somebody does.
  const { data: instances } = useQuery({ ...instancesQuery, enabled: requests.length > 0 });
  return requests.map((request) => ({
    request,
    name:
      instances?.items.find(({ instance }) => instance.id === request.instanceId)?.instance.name ??
      'An operator',
  }));
}

/** What a call is called where there is room for a word; an agent in a terminal says what it asks. */
export const nameOfCall = ({ rule, reason, tool }: GateRequest): string =>
  rule === 'agent' ? reason : tool;

/** The calls one below the other, each leading to where it is answered. */
export function WaitingCalls({ calls }: { calls: readonly WaitingCall[] }) {
  return (
    <ul
      aria-label="Calls that wait for you"
      className="mb-3 divide-y overflow-hidden rounded-md border bg-raised"
    >
      {calls.map(({ request, name }) => (
        <li key={`${request.instanceId} ${request.callId}`}>
          <Link
            to="/operators/$instanceId"
            params={{ instanceId: request.instanceId }}
            className="flex flex-wrap items-center gap-x-3 px-3 py-2 hover:bg-sunken"
          >
            <span className="inline-flex items-center gap-1.5 text-amber">
              <span aria-hidden className="size-2 rounded-full bg-amber" />
              Needs approval
            </span>
            <span className="min-w-0 font-medium break-words">{name}</span>
            <code className="min-w-0 truncate text-sm text-soft max-md:order-last max-md:w-full md:flex-1">
              {nameOfCall(request)}
            </code>
            <span className="text-sm text-faint max-md:ml-auto">
              asked <Ago at={request.at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
