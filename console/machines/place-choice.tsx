import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { RunnerSummary } from '../../protocol/http.ts';
import type { Place } from '../api/place.ts';
import { usableRunnersQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field, inputClass } from '../ui/field.tsx';

/** What the choice is called where it stands. */
export type PlaceWords = {
  /** Everything, and the buttons that lead there, to one place and into it. */
  all: string;
  toAll: string;
  toOne: string;
  show: string;
};

type PlaceProps = { place: Place; choose: (place: Place) => void; words: PlaceWords };

/** All launches, or those in a directory of a machine. */
export function PlaceChoice({ place, choose, words }: PlaceProps) {
  const runners = useQuery(usableRunnersQuery).data ?? [];
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium break-all">{place?.directory ?? words.all}</span>
        <Button size="small" onClick={() => setAsking(true)}>
          {words.toOne}
        </Button>
        {place !== null && (
          <Button size="small" kind="quiet" onClick={() => choose(null)}>
            {words.toAll}
          </Button>
        )}
      </div>
    );
  return (
    <ChoosePlace
      runners={runners}
      show={words.show}
      choose={(chosen) => {
        choose(chosen);
        setAsking(false);
      }}
      cancel={() => setAsking(false)}
    />
  );
}

function ChoosePlace({
  runners,
  show,
  choose,
  cancel,
}: {
  runners: readonly RunnerSummary[];
  show: string;
  choose: (place: Place) => void;
  cancel: () => void;
}) {
  const ids = { machine: useId(), directory: useId() };
  const [machine, setMachine] = useState('');
  const [directory, setDirectory] = useState('');
  const runner = runners.find(({ runnerId }) => runnerId === machine) ?? runners[0];
  const path = directory.trim().replace(/(?<=.)\/+$/, '');
  const missing = !runner
    ? 'Connect a machine first.'
    : path.startsWith('/')
      ? null
      : 'Give the whole path of the repository, from / on.';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (runner && missing === null) choose({ runnerId: runner.runnerId, directory: path });
  };
  return (
    <form onSubmit={submit} className="mb-3 rounded-md border bg-raised p-3">
      <Field id={ids.machine} label="Machine">
        <select
          id={ids.machine}
          value={runner?.runnerId ?? ''}
          className={inputClass()}
          onChange={(event) => setMachine(event.target.value)}
        >
          {runners.map(({ runnerId, name }) => (
            <option key={runnerId} value={runnerId}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field id={ids.directory} label="Repository, or a directory above several">
        <input
          id={ids.directory}
          value={directory}
          spellCheck={false}
          placeholder="/home/me/code/shop"
          className={`${inputClass()} font-mono`}
          onChange={(event) => setDirectory(event.target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" kind="primary" reason={missing}>
          {show}
        </Button>
        <Button kind="quiet" onClick={cancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
