import { Check, X } from 'lucide-react';
import type { Evidence } from '../../protocol/pilot.ts';
import type { PilotDecisionRow } from '../../protocol/pilot-view.ts';
import { Ago } from '../ui/time.tsx';
import { nextWord } from './words.ts';

/** What was decided, newest first, each with its reason and what the runner ran for it. */
export function DecisionList({ decisions }: { decisions: readonly PilotDecisionRow[] }) {
  if (decisions.length === 0)
    return <p className="text-soft">Nothing was decided yet. The first turn comes before.</p>;
  return (
    <ol className="divide-y rounded-md border bg-raised">
      {decisions.map((decision) => (
        <li key={decision.step} className="px-3 py-2">
          <div className="flex items-baseline gap-2">
            <span className="font-medium">{nextWord(decision.next)}</span>
            <Ago at={decision.at} className="ml-auto text-sm text-faint" />
          </div>
          <p className="break-words">{decision.reason}</p>
          {decision.status === 'waiting_person' && decision.outcome !== decision.reason && (
            <p className="text-sm break-words text-soft">{decision.outcome}</p>
          )}
          {decision.evidence.map((each, index) => (
            // A checklist may name the same check twice.
            <EvidenceRow key={`${index}-${each.command}`} evidence={each} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function EvidenceRow({ evidence }: { evidence: Evidence }) {
  const { passed, title, command, exitCode, tail } = evidence;
  return (
    <details className="mt-1 text-sm">
      <summary className="flex items-center gap-1.5">
        {passed ? (
          <Check aria-label="passed" className="text-green" />
        ) : (
          <X aria-label="failed" className="text-red" />
        )}
        {title}
      </summary>
      <code className="block break-words text-soft">{command}</code>
      <p className="text-faint">
        {exitCode === null ? 'ended before it was done' : `exit code ${exitCode}`}
      </p>
      {tail !== '' && <pre className="max-h-60 overflow-auto whitespace-pre-wrap">{tail}</pre>}
    </details>
  );
}
