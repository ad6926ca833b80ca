import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { usePress } from '../lib/use-press.ts';
import { Dialog } from './dialog.tsx';
import { FormEnd } from './form-end.tsx';

type Removal = {
  /** What is asked, with the name of what goes. */
  title: string;
  /** What becomes of whatever depends on it. */
  description: string;
  /** The words of the button. */
  action: string;
  /** The same as a command. */
  command: string;
  remove: () => Promise<unknown>;
  /** What is read again afterwards. */
  queryKey: QueryKey;
  close: () => void;
};

/** Asks before something goes, and stays open with the reason where it does not. */
export function ConfirmRemoval({
  title,
  description,
  action,
  command,
  remove,
  queryKey,
  close,
}: Removal) {
  const client = useQueryClient();
  const removing = usePress({
    mutationFn: remove,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey });
      close();
    },
  });
  return (
    <Dialog open onOpenChange={close} title={title} description={description}>
      <FormEnd
        press={removing}
        retry={() => removing.mutate()}
        command={command}
        kind="danger"
        onPress={() => removing.mutate()}
      >
        {action}
      </FormEnd>
    </Dialog>
  );
}
