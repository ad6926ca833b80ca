import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { DecisionKey } from '../../protocol/decisions.ts';
import { DECISIONS_KEY, decisionKeysQuery, revokeDecisionKey } from '../api/decisions.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { MakeKey } from './make-key.tsx';

/** The keys that post for a repository: who made each, when it was last used, and its end. */
export function Keys({ repository }: { repository: string }) {
  const query = useQuery(decisionKeysQuery(repository));
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<DecisionKey | null>(null);
  return (
    <Section
      title="Keys of its builds"
      aside={
        <Button size="small" onClick={() => setMaking(true)}>
          <KeyRound /> Make a key
        </Button>
      }
    >
      {query.isPending && <Skeleton label="Reading the keys" rows={2} />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <p className="text-soft">No key posts for this repository, so no new result comes.</p>
      )}
      {query.data && query.data.length > 0 && (
        <ul aria-label="Keys" className="divide-y overflow-hidden rounded-md border bg-raised">
          {query.data.map((key) => (
            <KeyRow key={key.keyId} decisionKey={key} revoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      <Dialog open={making} onOpenChange={setMaking} title={`A key for ${repository}`}>
        <MakeKey repository={repository} />
      </Dialog>
      {revoking && <RevokeDialog decisionKey={revoking} close={() => setRevoking(null)} />}
    </Section>
  );
}

function KeyRow({ decisionKey: key, revoke }: { decisionKey: DecisionKey; revoke: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2" data-key={key.keyId}>
      <span className={key.revokedAt === null ? 'font-medium' : 'text-faint line-through'}>
        {key.name}
      </span>
      <span className="text-sm text-soft">
        made <Ago at={key.createdAt} /> {key.madeBy === 'cli' ? 'on a command line' : 'here'}
      </span>
      <span className="text-sm text-soft">
        {key.lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Ago at={key.lastUsedAt} />
          </>
        )}
      </span>
      <span className="ml-auto">
        {key.revokedAt === null ? (
          <Button size="small" kind="quiet" onClick={revoke}>
            Revoke
          </Button>
        ) : (
          <span className="text-sm text-faint">
            revoked <Ago at={key.revokedAt} />
          </span>
        )}
      </span>
    </li>
  );
}

function RevokeDialog({
  decisionKey: key,
  close,
}: {
  decisionKey: DecisionKey;
  close: () => void;
}) {
  return (
    <ConfirmRemoval
      title={`Revoke the key ${key.name}?`}
      name={key.name}
      description="Builds that use it can no longer post, from the next one on. What they posted stays. A revoked key does not come back; make another one instead."
      action="Revoke the key"
      command={cliTwin.revokeDecisionKey(key.keyId)}
      remove={() => revokeDecisionKey(key.keyId)}
      queryKey={DECISIONS_KEY}
      close={close}
    />
  );
}
