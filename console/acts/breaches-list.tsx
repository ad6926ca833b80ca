import { describeBreach, undoLines } from '../../protocol/breach.ts';
import { saySources } from '../../protocol/audit.ts';
import type { BreachRow } from '../../protocol/http.ts';
import { SpenderLink } from '../ledger/spender-link.tsx';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';

/** Breaches, each with what exactly, by which rule, how to undo it, and who has answered for it. */
export function BreachesList({ breaches }: { breaches: readonly BreachRow[] }) {
  return (
    <ul aria-label="Breaches" className="divide-y rounded-md border bg-raised">
      {breaches.map((breach) => (
        <li key={`${breach.sessionId} ${breach.actId}`} className="space-y-1 px-3 py-2">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 font-medium break-words">
              <span className="text-red">Forbidden, and done:</span> {describeBreach(breach)}
            </span>
            <span className="ml-auto text-sm text-faint">
              <Ago at={breach.at} />
            </span>
          </p>
          <p className="break-words text-soft">
            <code className="text-sm">{breach.command}</code> in{' '}
            <SpenderLink
              id={breach.sessionId}
              label={breach.sessionTitle || (breach.drive ? 'its operator' : 'its session')}
            />
            {breach.drive?.target && (
              <>
                , in <code className="text-sm">{breach.drive.target}</code>
              </>
            )}
          </p>
          <p className="break-words text-soft">
            <Words text={breach.rule} /> Policy: {saySources(breach.policy)}.
          </p>
          <details>
            <summary className="text-sm text-accent">How to undo it</summary>
            <pre className="mt-1 overflow-x-auto rounded-md border bg-sunken p-2 text-sm">
              {undoLines(breach.undo).join(' &&\n')}
            </pre>
            {breach.undo.note && <p className="mt-1 text-sm text-soft">{breach.undo.note}</p>}
          </details>
          <p className="text-sm text-soft">
            {breach.override ? (
              <>
                Answered for from the {breach.override.channel} <Ago at={breach.override.at} />:{' '}
                {breach.override.reason}
              </>
            ) : (
              <span className="text-red">Nobody has answered for it yet.</span>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
