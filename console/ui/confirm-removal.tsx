import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { offerUndo, type Undoable } from '../lib/undo.ts';
import { usePress } from '../lib/use-press.ts';
import { Dialog } from './dialog.tsx';
import { Field, inputClass } from './field.tsx';
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
} & (
  | {
      /** The name that has to be typed, of what cannot be brought back. */ name: string;
      back?: never;
    }
  | { name: null; /** What brings it back, offered once it is gone. */ back: Undoable }
);

/** Whether what was typed is the name; a phone may begin it in upper case, or end it with a space. */
const isName = (typed: string, name: string): boolean =>
  typed.trim().toLowerCase() === name.trim().toLowerCase();

/** Asks before something goes, by its name where it is for good, and says why where it does not go. */
export function ConfirmRemoval({
  title,
  description,
  name,
  back,
  action,
  command,
  remove,
  queryKey,
  close,
}: Removal) {
  const id = useId();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const removing = usePress({
    mutationFn: remove,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey });
      if (back) offerUndo(back);
      close();
    },
  });
  const reason =
    name === null || isName(typed, name) ? null : `Type ${name} first: this cannot be undone.`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === null) removing.mutate();
  };
  return (
    <Dialog open onOpenChange={close} title={title} description={description}>
      <form onSubmit={submit} noValidate>
        {name !== null && (
          <Field id={id} label={`Type ${name} to confirm`} hint="This cannot be undone.">
            <input
              id={id}
              value={typed}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              className={inputClass()}
            />
          </Field>
        )}
        <FormEnd
          press={removing}
          retry={() => removing.mutate()}
          reason={reason}
          command={command}
          kind="danger"
        >
          {action}
        </FormEnd>
      </form>
    </Dialog>
  );
}
