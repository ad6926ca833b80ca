import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { GateRequest, GateSaid } from '../../../protocol/gate.ts';
import { askedPermission } from '../../../protocol/pane-question.ts';
import { answerCall, CHAT_KEY, gateRequestsQuery } from '../../api/chat.ts';
import { OPERATORS_KEY } from '../../api/operators.ts';
import { tellError } from '../../errors.ts';
import { cliTwin } from '../../format/cli.ts';
import { usePress } from '../../lib/use-press.ts';
import { Button } from '../../ui/button.tsx';
import { Twin } from '../../ui/copy.tsx';
import { ErrorPanel, Skeleton } from '../../ui/states.tsx';
import { Until } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import { Asked, Shown } from './asked.tsx';

/** Calls of an instance that wait for the person, from its agent and from MCP clients. */
export function Requests({ instanceId }: { instanceId: string }) {
  const query = useQuery(gateRequestsQuery(instanceId));
  return (
    <>
      {query.isPending && <Skeleton label="Reading what waits for you" rows={1} />}
      {query.isError && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
      {query.data?.map((request) => (
        <Request key={request.callId} request={request} />
      ))}
    </>
  );
}

function Request({ request }: { request: GateRequest }) {
  const { instanceId, callId, tool, params, reason, rule, actor, expiresAt } = request;
  const queries = useQueryClient();
  const asked = rule === 'agent' ? askedPermission.safeParse(params).data : undefined;
  const answer = usePress({
    mutationFn: (said: GateSaid) => answerCall(instanceId, callId, said),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: CHAT_KEY }),
        queries.invalidateQueries({ queryKey: OPERATORS_KEY }),
      ]),
  });
  return (
    <section
      aria-label={`${asked ? asked.engine : tool} waits for you`}
      className="rounded-md border border-amber p-3"
    >
      {asked ? (
        <Asked asked={asked} expiresAt={expiresAt} />
      ) : (
        <>
          <p>
            <code className="font-medium">{tool}</code>{' '}
            <span className="text-soft">
              {actor.kind === 'agent' ? 'of its agent' : 'of an MCP client'} waits for you: {reason}
              . It is denied by itself <Until at={expiresAt} />.
            </span>
          </p>
          <Shown text={JSON.stringify(params, null, 2)} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={answer.isPending} onClick={() => answer.mutate('once')}>
          Allow once
        </Button>
        {rule === 'consent' && (
          <Button busy={answer.isPending} onClick={() => answer.mutate('instance')}>
            Allow for this instance
          </Button>
        )}
        <Button kind="quiet" busy={answer.isPending} onClick={() => answer.mutate('deny')}>
          Deny
        </Button>
        <Twin text={cliTwin.answerCall(instanceId, callId, 'once')} />
      </div>
      {answer.isError && (
        <p className="mt-2 text-sm text-red">
          <Words text={tellError(answer.error).sentence} />
        </p>
      )}
    </section>
  );
}
