import type { EngineEntry } from '../../protocol/engines.ts';
import { ENGINES_KEY, removeEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';

/** Asks before an engine goes. */
export function RemoveEngine({ entry, close }: { entry: EngineEntry; close: () => void }) {
  const { id, label } = entry.preset;
  return (
    <ConfirmRemoval
      title={`Remove ${label}?`}
      description="It can no longer be launched. Sessions under way keep it, and its versions stay known. Approvals on machines stay until they are withdrawn there."
      action="Remove the engine"
      command={cliTwin.removeEngine(id)}
      remove={() => removeEngine(id)}
      queryKey={ENGINES_KEY}
      close={close}
    />
  );
}
