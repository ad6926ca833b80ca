import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EngineEntry } from '../../protocol/engines.ts';
import { ENGINES_KEY, removeEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorPanel } from '../ui/states.tsx';

/** Asks before an engine goes. */
export function RemoveEngine({ entry, close }: { entry: EngineEntry; close: () => void }) {
  const { id, label } = entry.preset;
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => removeEngine(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ENGINES_KEY });
      close();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={close}
      title={`Remove ${label}?`}
      description="It can no longer be launched. Sessions under way keep it, and its versions stay known. Approvals on machines stay until they are withdrawn there."
    >
      {removing.isError && (
        <div className="mb-3">
          <ErrorPanel error={removing.error} retry={() => removing.mutate()} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="danger" busy={removing.isPending} onClick={() => removing.mutate()}>
          Remove the engine
        </Button>
        <code className="text-sm break-all text-faint">{cliTwin.removeEngine(id)}</code>
      </div>
    </Dialog>
  );
}
