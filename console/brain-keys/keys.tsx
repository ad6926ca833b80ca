import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { BrainKey } from '../../protocol/brain-keys.ts';
import { sayOwnPrice } from '../../protocol/own-price.ts';
import { BRAIN_KEYS_KEY, brainKeysQuery, removeBrainKey } from '../api/brain-keys.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { AddBrainKey } from './add-key.tsx';
import { PriceBrainKey } from './price-key.tsx';

/** The keys of model APIs with which a Pilot may decide. */
export function BrainKeys() {
  const query = useQuery(brainKeysQuery);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<BrainKey | null>(null);
  const [pricing, setPricing] = useState<BrainKey | null>(null);
  return (
    <Section
      title="Keys for brains"
      aside={
        <Button size="small" onClick={() => setAdding(true)}>
          <KeyRound /> Add a key
        </Button>
      }
    >
      <p className="mb-3 text-soft">
        With a key of a model API, a model can decide what a Pilot does next. The key stays on this
        server, encrypted; no machine and no engine gets it.
      </p>
      {query.isPending && <Skeleton label="Reading the keys" rows={2} />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <p className="text-soft">
          No key is kept, so a Pilot goes by its checks alone. Add one to let a model decide.
        </p>
      )}
      {query.data && query.data.length > 0 && (
        <ul aria-label="Keys" className="divide-y overflow-hidden rounded-md border bg-raised">
          {query.data.map((key) => (
            <li key={key.keyId} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
              <span className="font-medium">{key.name}</span>
              <span className="text-sm text-soft">{key.provider}</span>
              <code className="text-sm break-all text-soft">{key.baseUrl}</code>
              <span className="text-sm text-faint">
                added <Ago at={key.createdAt} />
              </span>
              {key.price && <span className="text-sm text-soft">{sayOwnPrice(key.price)}</span>}
              <span className="ml-auto flex gap-1">
                <Button size="small" kind="quiet" onClick={() => setPricing(key)}>
                  Price
                </Button>
                <Button size="small" kind="quiet" onClick={() => setRemoving(key)}>
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title="A key for a brain">
        <AddBrainKey onAdded={() => setAdding(false)} />
      </Dialog>
      <Dialog
        open={pricing !== null}
        onOpenChange={(open) => open || setPricing(null)}
        title={`What the models of ${pricing?.name ?? 'a key'} cost`}
      >
        {pricing && <PriceBrainKey brainKey={pricing} onSaved={() => setPricing(null)} />}
      </Dialog>
      {removing && (
        <ConfirmRemoval
          title={`Remove the key ${removing.name}?`}
          name={removing.name}
          description="It is forgotten here, from the next decision on: a Pilot that decides with it asks you. At the provider it stays what it is; revoke it there too if others may have it."
          action="Remove the key"
          command={cliTwin.removeBrainKey(removing.keyId)}
          remove={() => removeBrainKey(removing.keyId)}
          queryKey={BRAIN_KEYS_KEY}
          close={() => setRemoving(null)}
        />
      )}
    </Section>
  );
}
