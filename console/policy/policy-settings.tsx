import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { RunnerSummary } from '../../protocol/http.ts';
import type { PolicyVersion } from '../../protocol/policy-http.ts';
import { type PolicyPlace, policyQuery, policyVersionsQuery } from '../api/policy.ts';
import { runnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Field, inputClass } from '../ui/field.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { widerOf } from './draft.ts';
import { PolicyForm } from './policy-form.tsx';
import { PolicyHistory } from './policy-history.tsx';

/** What sessions may merge, push, read and run: for all launches, and for one repository. */
export function PolicySettings() {
  const [place, setPlace] = useState<PolicyPlace>(null);
  return (
    <Section title="What sessions may merge and push">
      <p className="mb-3 text-soft">
        Sessions keep the policy of their launch; a change holds for later ones. The limits.toml of
        a machine may allow less.
      </p>
      <Place place={place} choose={setPlace} />
      <ScopePolicy key={place?.directory ?? ''} place={place} />
      <p className="mt-3 text-sm break-all text-faint">
        <code>{cliTwin.policy(place?.directory ?? null)}</code>
      </p>
    </Section>
  );
}

function ScopePolicy({ place }: { place: PolicyPlace }) {
  const holds = useQuery(policyQuery(place));
  const versions = useQuery(policyVersionsQuery(place));
  const [brought, setBrought] = useState<{ version: PolicyVersion; over: number } | null>(null);
  const failed = [holds, versions].find((query) => query.isError && !query.data);
  if (failed) return <ErrorPanel error={failed.error} retry={() => void failed.refetch()} />;
  if (!holds.data || !versions.data) return <Skeleton label="Reading the policy" />;
  const [newest] = versions.data;
  const over = newest?.version ?? 0;
  // Once something is saved, what was brought back before is history again.
  const back = brought?.over === over ? brought.version : undefined;
  const start = back ?? newest ?? { part: {}, widens: null };
  return (
    <>
      <PolicyForm
        key={`${over} ${back?.version ?? ''}`}
        place={place}
        wider={widerOf(holds.data, place)}
        start={start}
        basedOn={over}
      />
      <h3 className="mt-4 mb-1.5 text-sm font-semibold text-soft">Versions</h3>
      <PolicyHistory
        versions={versions.data}
        bringBack={(version) => setBrought({ version, over })}
      />
    </>
  );
}

type PlaceProps = { place: PolicyPlace; choose: (place: PolicyPlace) => void };

/** All launches, or those in a directory of a machine. */
function Place({ place, choose }: PlaceProps) {
  const runners = useQuery(runnersQuery).data ?? [];
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium break-all">{place?.directory ?? 'All launches'}</span>
        <Button size="small" onClick={() => setAsking(true)}>
          For one repository…
        </Button>
        {place !== null && (
          <Button size="small" kind="quiet" onClick={() => choose(null)}>
            For all launches
          </Button>
        )}
      </div>
    );
  return (
    <ChoosePlace
      runners={runners}
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
  choose,
  cancel,
}: {
  runners: readonly RunnerSummary[];
  choose: (place: PolicyPlace) => void;
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
          Show its policy
        </Button>
        <Button kind="quiet" onClick={cancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
