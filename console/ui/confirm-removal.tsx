import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { usePress } from '../lib/use-press.ts';
import { Dialog } from './dialog.tsx';
import { Field, inputClass } from './field.tsx';
import { FormEnd } from './form-end.tsx';

type Removal = {
  /** What is asked, with the name of what goes. */
  title: string;
  /** What becomes of whatever depends on it. */
  description: string;
  /** The name that has to be typed: of what cannot be brought back. Null for what can. */
  name: string | null;
  /** The words of the button. */
  action: string;
  /** The same as a command. */
  command: string;
  remove: () => Promise<unknown>;
  /** What is read again afterwards. */
  queryKey: QueryKey;
  close: () => void;
};

/** Whether what was typed is the name; a phone may begin it in upper case, or end it with a space. */
const isName = (typed: string, name: string): boolean =>
  typed.trim().toLowerCase() === name.trim().toLowerCase();

/** Asks before something goes, by its name where it is for good, and says why where it does not go. */
export function ConfirmRemoval({
  title,
  description,
  name,
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
