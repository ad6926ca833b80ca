import { type FormEvent, useId, useState } from 'react';
import type { PilotView } from '../../protocol/pilot-view.ts';
import { instructionText } from '../../protocol/instruction.ts';
import { askPilot } from '../api/pilot.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';

/** Gives the Pilot another objective; the checks that prove it stay as they are. */
export function ChangeObjective({ pilot, onDone }: { pilot: PilotView; onDone: () => unknown }) {
  const [open, setOpen] = useState(false);
  if (!open)
    return (
      <Button kind="quiet" onClick={() => setOpen(true)}>
        Change the objective
      </Button>
    );
  return <ObjectiveForm pilot={pilot} onDone={onDone} close={() => setOpen(false)} />;
}

function ObjectiveForm({
  pilot: { sessionId, objective: before },
  onDone,
  close,
}: {
  pilot: PilotView;
  onDone: () => unknown;
  close: () => void;
}) {
  const id = useId();
  const [objective, setObjective] = useState(before);
  const changing = usePress({
    mutationFn: () => askPilot(sessionId, { action: 'objective', objective }),
    onSuccess: async () => {
      await onDone();
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <form aria-label="Objective" onSubmit={submit} className="mt-2 w-full">
      <Field id={id} label="Objective" hint="The checks that prove it stay as they are.">
        <textarea
          id={id}
          rows={4}
          className={inputClass()}
          value={objective}
          onChange={(event) => setObjective(event.target.value)}
        />
      </Field>
      <FormEnd
        press={changing}
        retry={() => changing.mutate()}
        reason={reasonNotToChange(objective, before)}
        command={cliTwin.changeObjective(sessionId, objective)}
      >
        Change it
      </FormEnd>
      <Button kind="quiet" size="small" className="mt-2" onClick={close}>
        Leave it as it is
      </Button>
    </form>
  );
}

function reasonNotToChange(objective: string, before: string): string | null {
  if (objective === before) return 'It is so already.';
  return instructionText.safeParse(objective).success
    ? null
    : 'Say what it should reach, in words that fit an instruction.';
}
