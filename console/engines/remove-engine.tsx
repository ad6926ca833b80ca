import type { EngineEntry } from '../../protocol/engines.ts';
import { ENGINES_KEY, removeEngine, saveEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';

/** Asks before an engine goes. */
export function RemoveEngine({ entry, close }: { entry: EngineEntry; close: () => void }) {
  const { preset } = entry;
  const { id, label } = preset;
  const after =
    entry.inPlaceOf === undefined
      ? 'It can no longer be launched.'
      : `${id} is ${entry.inPlaceOf} of Pilothouse from then on, and this one can be had under another id alone: copy it first.`;
  // An id that the product has by now is given to nobody anew.
  const asked =
    entry.inPlaceOf === undefined
      ? { name: null, back: { said: `${label} is removed.`, undo: () => saveEngine(preset, 0) } }
      : { name: id };
  return (
    <ConfirmRemoval
      {...asked}
      title={`Remove ${label}?`}
      description={`${after} Sessions under way keep it, and its versions stay known. Approvals on machines stay until they are withdrawn there.`}
      action="Remove the engine"
      command={cliTwin.removeEngine(id)}
      remove={() => removeEngine(id)}
      queryKey={ENGINES_KEY}
      close={close}
    />
  );
}
