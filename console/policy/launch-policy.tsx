import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Place } from '../api/place.ts';
import { policyQuery } from '../api/policy.ts';
import { tellError } from '../errors.ts';
import { paths } from '../paths.ts';
import { Words } from '../ui/words.tsx';

/** What a session that is launched there may merge and push, before anybody presses. */
export function LaunchPolicy({ place }: { place: Place }) {
  const query = useQuery(policyQuery(place));
  if (query.isError && !query.data)
    return (
      <p role="alert" className="mb-3 text-sm text-red">
        <Words text={tellError(query.error).sentence} />
      </p>
    );
  if (!query.data) return null;
  return (
    <details className="mb-3 rounded-md border bg-raised px-3 py-1.5 text-sm">
      <summary className="cursor-pointer text-soft">
        {query.data.words.slice(0, 2).join(' ')}
      </summary>
      <ul aria-label="Policy" className="mt-1 text-soft">
        {query.data.words.slice(2).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="mt-1 text-faint">
        The limits of the machine may allow less.{' '}
        <Link to={paths.settings()} className="underline">
          Change it in the settings
        </Link>
        .
      </p>
    </details>
  );
}
