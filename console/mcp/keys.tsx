import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { McpKey } from '../../protocol/mcp.ts';
import { MCP_KEYS_KEY, mcpKeysQuery, revokeMcpKey } from '../api/mcp.ts';
import { instancesQuery } from '../api/operators.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { MakeMcpKey } from './make-key.tsx';

/** The keys with which MCP clients come: what each opens, when it was last used, and its end. */
export function McpKeys() {
  const query = useQuery(mcpKeysQuery);
  const instances = useQuery(instancesQuery);
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<McpKey | null>(null);
  const nameOf = (id: string) =>
    instances.data?.items.find(({ instance }) => instance.id === id)?.instance.name ?? id;
  return (
    <Section
      title="Keys of MCP clients"
      aside={
        <Button size="small" onClick={() => setMaking(true)}>
          <KeyRound /> Make a key
        </Button>
      }
    >
      <p className="mb-3 text-soft">
        With a key, another agent uses one operator at its terminal, or looks after sessions. It
        opens what it was made for and nothing else.
      </p>
      {query.isPending && <Skeleton label="Reading the keys" rows={2} />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <p className="text-soft">No key was made, so no MCP client can come.</p>
      )}
      {query.data && query.data.length > 0 && (
        <ul aria-label="MCP keys" className="divide-y overflow-hidden rounded-md border bg-raised">
          {query.data.map((key) => (
            <KeyRow
              key={key.keyId}
              mcpKey={key}
              opens={key.instanceId === null ? key.scopes.join(', ') : nameOf(key.instanceId)}
              revoke={() => setRevoking(key)}
            />
          ))}
        </ul>
      )}
      <Dialog open={making} onOpenChange={setMaking} title="A key for an MCP client">
        <MakeMcpKey instances={instances.data?.items.map(({ instance }) => instance) ?? []} />
      </Dialog>
      {revoking && <RevokeDialog mcpKey={revoking} close={() => setRevoking(null)} />}
    </Section>
  );
}

function KeyRow({
  mcpKey: { keyId, name, createdAt, madeBy, lastUsedAt, revokedAt },
  opens,
  revoke,
}: {
  mcpKey: McpKey;
  opens: string;
  revoke: () => void;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2" data-key={keyId}>
      <span className={revokedAt === null ? 'font-medium' : 'text-faint line-through'}>{name}</span>
      <span className="text-sm text-soft">opens {opens}</span>
      <span className="text-sm text-soft">
        made <Ago at={createdAt} /> {madeBy === 'cli' ? 'on a command line' : 'here'}
      </span>
      <span className="text-sm text-soft">
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Ago at={lastUsedAt} />
          </>
        )}
      </span>
      <span className="ml-auto">
        {revokedAt === null ? (
          <Button size="small" kind="quiet" onClick={revoke}>
            Revoke
          </Button>
        ) : (
          <span className="text-sm text-faint">
            revoked <Ago at={revokedAt} />
          </span>
        )}
      </span>
    </li>
  );
}

function RevokeDialog({ mcpKey: key, close }: { mcpKey: McpKey; close: () => void }) {
  return (
    <ConfirmRemoval
      title={`Revoke the key ${key.name}?`}
      name={key.name}
      description="It opens nothing any more, from the next request on. A revoked key does not come back; make another one instead."
      action="Revoke the key"
      command={cliTwin.revokeMcpKey(key.keyId)}
      remove={() => revokeMcpKey(key.keyId)}
      queryKey={MCP_KEYS_KEY}
      close={close}
    />
  );
}
