import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId } from 'react';
import { ACT_KINDS, witness as witnesses } from '../../protocol/act.ts';
import { sayActor } from '../../protocol/actor.ts';
import { ACT_ENDS } from '../../protocol/http.ts';
import { GITHUB_ACTOR, LOCAL_ACTOR, PILOT_ACTOR } from '../../protocol/ids.ts';
import { runnersQuery } from '../api/queries.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { Button } from '../ui/button.tsx';
import { type ActsSearch, actsSearch, isFiltered } from './search.ts';

const OUTCOMES: Record<(typeof ACT_ENDS)[number], string> = {
  done: 'done',
  not_done: 'not done',
  unknown: 'not known',
  open: 'under way or waiting',
};
const WITNESSES: Record<(typeof witnesses.options)[number], string> = {
  stream: 'the stream',
  git: 'refs that moved',
  instructed: 'our own order',
  gate: 'the gate',
  guard: 'the guard',
};

const ACTORS = [LOCAL_ACTOR, PILOT_ACTOR, GITHUB_ACTOR];

type FiltersProps = { search: ActsSearch; choose: (change: Partial<ActsSearch>) => void };
type Options = readonly (readonly [string, string])[];

/** Which acts are shown. All of it is in the address, so that a link shows the same. */
export function Filters({ search, choose }: FiltersProps) {
  const runners = useQuery(runnersQuery);
  const pick = (name: keyof ActsSearch) => (value: string) =>
    choose({ [name]: actsSearch.shape[name].parse(value || undefined) });
  const machines: Options = (runners.data ?? []).map(({ runnerId, name }) => [runnerId, name]);
  return (
    <fieldset className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
      <legend className="sr-only">Filter</legend>
      <Choice
        label="Kind"
        any="Any act"
        value={search.kind}
        options={ACT_KINDS.map((kind) => [kind, actWord(kind)])}
        onChoose={pick('kind')}
      />
      <Choice
        label="Outcome"
        any="Any outcome"
        value={search.outcome}
        options={ACT_ENDS.map((end) => [end, OUTCOMES[end]])}
        onChoose={pick('outcome')}
      />
      <Choice
        label="Seen by"
        any="Any witness"
        value={search.witness}
        options={witnesses.options.map((each) => [each, WITNESSES[each]])}
        onChoose={pick('witness')}
      />
      <Choice
        label="Policy"
        any="Allowed or forbidden"
        value={search.breach}
        options={[
          ['yes', 'forbidden'],
          ['no', 'not forbidden'],
        ]}
        onChoose={pick('breach')}
      />
      {(machines.length > 1 || search.machine !== undefined) && (
        <Choice
          label="Machine"
          any="Any machine"
          value={search.machine}
          options={machines}
          onChoose={pick('machine')}
        />
      )}
      <Choice
        label="By"
        any="By anybody"
        value={search.by}
        options={ACTORS.map((each) => [each, `by ${sayActor(each)}`])}
        onChoose={pick('by')}
      />
      {search.session !== undefined && (
        <Button size="small" onClick={() => choose({ session: undefined })}>
          One session <X aria-label="remove" />
        </Button>
      )}
      {isFiltered(search) && (
        <Button
          size="small"
          kind="quiet"
          onClick={() =>
            choose(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])))
          }
        >
          Show all
        </Button>
      )}
    </fieldset>
  );
}

type ChoiceProps = {
  label: string;
  any: string;
  value: string | undefined;
  options: Options;
  onChoose: (value: string) => void;
};

function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value)}
        className="h-8 max-w-44 rounded-md border border-line-strong bg-raised px-2"
      >
        <option value="">{any}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}
