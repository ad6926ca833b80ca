import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { DEFAULT_CONSENTS } from '../../protocol/operator.ts';
import type { InstanceDetail, OperatorEntry } from '../../protocol/operator-http.ts';
import { TERMINAL_RISKS } from '../../protocol/terminal.ts';
import { makeInstance, OPERATORS_KEY } from '../api/operators.ts';
import { usableRunnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { ConsentChoice } from './consent-choice.tsx';
import { Sentences } from './sentences.tsx';
import { NO_TARGET, TargetField, targetOf } from './target-field.tsx';

/** Asks what an instance needs: a name, a machine, a terminal and what the person agrees to. */
export function MakeInstance({
  entry,
  onMade,
}: {
  entry: OperatorEntry;
  onMade: (detail: InstanceDetail) => void;
}) {
  const { definition, words, note } = entry;
  const id = useId();
  const client = useQueryClient();
  const { data: runners = [] } = useQuery(usableRunnersQuery);
  const [name, setName] = useState(definition.name);
  const [chosen, setChosen] = useState('');
  const [target, setTarget] = useState(NO_TARGET);
  const [consents, setConsents] = useState(DEFAULT_CONSENTS);
  const [tried, setTried] = useState(false);
  const runner = runners.find(({ runnerId }) => runnerId === chosen) ?? runners[0];
  const boundTarget = targetOf(target);
  const making = usePress({
    mutationFn: async () => {
      if (!runner || boundTarget === undefined) return null;
      return makeInstance({
        operatorId: definition.id,
        runnerId: runner.runnerId,
        agreedVersion: definition.version,
        name: name.trim(),
        boundTarget,
        consents,
      });
    },
    onSuccess: async (detail) => {
      await client.invalidateQueries({ queryKey: OPERATORS_KEY });
      if (detail) onMade(detail);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (runner && boundTarget !== undefined && name.trim() !== '') making.mutate();
  };
  const noName = tried && name.trim() === '';
  const noMachine = tried && !runner;
  const risks = new Set(definition.ceiling.tools.map((tool) => TERMINAL_RISKS[tool]));
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <p className="mb-1 text-sm font-medium text-soft">What you agree that it may do at most</p>
      <div className="mb-3 rounded-md border bg-raised px-3 py-2">
        <Sentences label="What it may do at most" words={words} />
        {note !== null && <p className="mt-1 text-sm text-amber">{note}</p>}
      </div>
      <Field id={`${id}-name`} label="Name" problem={noName ? 'Say what you call it.' : undefined}>
        <input
          id={`${id}-name`}
          aria-invalid={noName}
          className={inputClass(noName)}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field
        id={`${id}-runner`}
        label="Machine"
        problem={noMachine ? 'Start a runner on a machine of yours first.' : undefined}
        hint="Its own limits have to open its terminals, and always have the last word."
      >
        <select
          id={`${id}-runner`}
          className={inputClass(noMachine)}
          value={runner?.runnerId ?? ''}
          onChange={(event) => setChosen(event.target.value)}
        >
          {runners.map(({ runnerId, name: label }) => (
            <option key={runnerId} value={runnerId}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <TargetField
        id={id}
        runnerId={runner?.runnerId}
        draft={target}
        change={setTarget}
        tried={tried}
      />
      <ConsentChoice
        consents={consents}
        risks={risks}
        choose={(risk, consent) => setConsents({ ...consents, [risk]: consent })}
      />
      <FormEnd
        press={making}
        retry={() => making.mutate()}
        command={cliTwin.makeOperator(definition.id, name)}
      >
        Agree and use it
      </FormEnd>
    </form>
  );
}
