import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyVersion } from '../../protocol/policy-http.ts';
import type { Place } from '../api/place.ts';
import { policyQuery, policyVersionsQuery } from '../api/policy.ts';
import { cliTwin } from '../format/cli.ts';
import { PlaceChoice } from '../machines/place-choice.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { widerOf } from './draft.ts';
import { PolicyForm } from './policy-form.tsx';
import { PolicyHistory } from './policy-history.tsx';

const WORDS = {
  all: 'All launches',
  toAll: 'For all launches',
  toOne: 'For one repository…',
  show: 'Show its policy',
};

/** What sessions may merge, push, read and run: for all launches, and for one repository. */
export function PolicySettings() {
  const [place, setPlace] = useState<Place>(null);
  return (
    <Section title="What sessions may merge and push">
      <p className="mb-3 text-soft">
        Sessions keep the policy of their launch; a change holds for later ones. The limits.toml of
        a machine may allow less.
      </p>
      <PlaceChoice place={place} choose={setPlace} words={WORDS} />
      <ScopePolicy key={place?.directory ?? ''} place={place} />
      <p className="mt-3 text-sm break-all text-faint">
        <code>{cliTwin.policy(place?.directory ?? null)}</code>
      </p>
    </Section>
  );
}

function ScopePolicy({ place }: { place: Place }) {
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
  const was = newest ?? { part: {}, widens: null };
  return (
    <>
      <PolicyForm
        key={`${over} ${back?.version ?? ''}`}
        place={place}
        wider={widerOf(holds.data, place)}
        start={back ?? was}
        was={was}
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
