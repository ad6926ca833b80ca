import { Link } from '@tanstack/react-router';
import { api } from '../../paths.ts';

const LINK = 'text-accent hover:underline';

/** The run as a file: told for somebody who was not there, or as evidence. */
export function Save({ sessionId }: { sessionId: string }) {
  return (
    <ul className="mb-3 space-y-1 text-sm text-faint">
      <li>
        <a className={LINK} href={api.report(sessionId, 'markdown')} download>
          Save the report
        </a>{' '}
        (
        <a className={LINK} href={api.report(sessionId, 'json')} download>
          JSON
        </a>
        ): objective, outcome, turns with their cost, acts, approvals, and what it cannot tell.
      </li>
      <li>
        <a className={LINK} href={api.artifactPack(sessionId)} download>
          Save the artifact pack
        </a>
        : launches, processes, outcome, acts and the last entries of the record, without secrets.
      </li>
      <li>
        <Link className={LINK} to="/compare" search={{ sessions: sessionId }}>
          Compare
        </Link>{' '}
        it with other runs on its objective.
      </li>
    </ul>
  );
}
