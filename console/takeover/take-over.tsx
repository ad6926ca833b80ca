import { Keyboard, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { hasKeys, type Presence } from '../../protocol/machine.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { TakeoverForm } from '../../protocol/takeover.ts';
import { releaseSession, takeOverSession } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { useMachine } from '../session/use-machine.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { holdLease } from './lease.ts';
import { decideOffer, type Offer, type SaidOfKeys, wordsOfDriver } from './offer.ts';
import { Words } from '../ui/words.tsx';

type TakeOverProps = {
  view: SessionView;
  /** Its machine; null before it is known. */
  runnerId: string | null;
  presence: Presence;
  leaseKey: string | null;
};

/** Takes the session over, or hands back what this tab drives. Asks where somebody may lose something. */
export function TakeOver({ view, runnerId, presence, leaseKey }: TakeOverProps) {
  const { sessionId, takeover } = view;
  const [asking, setAsking] = useState(false);
  const said = useSaidOfKeys(runnerId, view.launch);
  const offer = decideOffer(view, presence, said);
  const take = usePress({
    mutationFn: (form: TakeoverForm) => takeOverSession(sessionId, form, takeover !== null),
    onSuccess: (lease) => {
      holdLease(sessionId, lease);
      setAsking(false);
    },
  });
  const release = usePress({
    mutationFn: () => releaseSession(sessionId, leaseKey),
    onSuccess: () => {
      holdLease(sessionId, null);
      setAsking(false);
    },
  });
  const error = take.error ?? release.error;
  const told = error !== null && (
    <span className="text-sm text-red">
      <Words text={tellError(error).sentence} />
    </span>
  );
  if (leaseKey !== null)
    return (
      <>
        <Button
          id={HAND_BACK_ID}
          kind={takeover?.form === 'keys' ? 'primary' : 'plain'}
          busy={release.isPending}
          onClick={() => release.mutate()}
        >
          <Undo2 /> Hand back
        </Button>
        {told && <span role="alert">{told}</span>}
      </>
    );
  return (
    <>
      <Button
        reason={offer.kind === 'refused' ? offer.reason : null}
        busy={take.isPending}
        onClick={() => (offer.kind === 'open' ? take.mutate(offer.form) : setAsking(true))}
      >
        <Keyboard /> Take over
      </Button>
      {told && !asking && <span role="alert">{told}</span>}
      {offer.kind === 'ask' && (
        <Dialog open={asking} onOpenChange={setAsking} {...wordsOfOffer(offer, view)}>
          {told && (
            <p role="alert" className="mb-3">
              {told}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" busy={take.isPending} onClick={() => take.mutate(offer.form)}>
              {offer.form === 'text' ? 'Take over with text' : 'Take over with keys'}
            </Button>
            {offer.because === 'driven' && (
              <Button busy={release.isPending} onClick={() => release.mutate()}>
                Hand it back for them
              </Button>
            )}
            <Button kind="quiet" onClick={() => setAsking(false)}>
              Leave it
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Where the keyboard goes when it leaves the terminal. */
export const HAND_BACK_ID = 'hand-back';

function useSaidOfKeys(runnerId: string | null, launch: SessionView['launch']): SaidOfKeys {
  const machine = useMachine(runnerId);
  if (!machine) return { keys: null, allowed: null };
  return { keys: hasKeys(machine, launch) ?? false, allowed: machine.limits.takeover ?? null };
}

function wordsOfOffer(
  { because, form }: Extract<Offer, { kind: 'ask' }>,
  { takeover }: SessionView,
): { title: string; description: string } {
  switch (because) {
    case 'driven':
      return {
        title: 'Take it from whoever drives?',
        description: `${takeover ? wordsOfDriver(takeover) : 'Somebody drives'}. What they type from then on reaches nothing, and they see why.`,
      };
    case 'working':
      return {
        title: 'Take over in the middle of a turn?',
        description:
          'The turn under way is ended, and the conversation goes on in the engine’s own terminal, where every key is yours. Files it changed stay as they are.',
      };
    case 'text':
      return {
        title: 'Take over with text?',
        description:
          'This engine has no terminal that keys could be sent to. You drive with instructions instead, and nobody else may give any until you hand back.',
      };
    default:
      because satisfies never;
      return { title: form, description: '' };
  }
}
