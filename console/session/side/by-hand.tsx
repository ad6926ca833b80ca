import {
  BY_HAND_ADVICE,
  byHandCommand,
  SEALED_BY_HAND,
  type StartedProcess,
} from '../../../protocol/by-hand.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { plural } from '../../format/count.ts';
import { Command } from '../../ui/copy.tsx';
import { Heading } from './facts.tsx';

type ByHandProps = {
  process: Omit<StartedProcess, 'pid'>;
  view: Pick<SessionView, 'checkout' | 'engine'>;
};

/** The session's own command, for a person's terminal: what it costs, and what it may do there. */
export function ByHand({ process, view }: ByHandProps) {
  const grade = view.checkout?.grade ?? null;
  return (
    <>
      <Heading>Open in my terminal</Heading>
      {grade !== null && grade.grade !== 'open' && (
        <p className="mb-1 text-sm">
          <strong>By hand it is not {grade.grade}.</strong> The session was; in your terminal the
          same command has your power: your files, your keys and logins, and pushes that no gate
          judges.{grade.grade === 'sealed' && ` ${SEALED_BY_HAND}`}
        </p>
      )}
      <Command text={byHandCommand(process, view.engine)} />
      <p className="mt-1 text-sm text-faint">{BY_HAND_ADVICE}</p>
      {process.environment.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="w-fit text-accent">
            {plural(process.environment.length, 'environment variable')}, by name
          </summary>
          <p className="mt-1 font-mono break-words text-soft">{process.environment.join(' ')}</p>
        </details>
      )}
    </>
  );
}
