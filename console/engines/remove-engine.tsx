import type { EngineEntry } from '../../protocol/engines.ts';
import { ENGINES_KEY, removeEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';

/** Asks before an engine goes. */
export function RemoveEngine({ entry, close }: { entry: EngineEntry; close: () => void }) {
  const { id, label } = entry.preset;
  const after =
    entry.inPlaceOf === undefined
      ? 'It can no longer be launched.'
      : `${id} is ${entry.inPlaceOf} of Pilothouse from then on, and this one can be had under another id alone: copy it first.`;
  return (
    <ConfirmRemoval
      title={`Remove ${label}?`}
      name={null}
      description={`${after} Sessions under way keep it, and its versions stay known. Approvals on machines stay until they are withdrawn there.`}
      action="Remove the engine"
      command={cliTwin.removeEngine(id)}
      remove={() => removeEngine(id)}
      queryKey={ENGINES_KEY}
      close={close}
    />
  );
}
