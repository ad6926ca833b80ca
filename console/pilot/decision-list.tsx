import { Check, X } from 'lucide-react';
import type { Evidence } from '../../protocol/pilot.ts';
import { addUsage, type UsageEntry } from '../../protocol/usage.ts';
import type { PilotDecisionRow } from '../../protocol/pilot-view.ts';
import { Ago } from '../ui/time.tsx';
import { formatTokens } from '../format/count.ts';
import { Spend } from '../ui/spend.tsx';
import { Words } from '../ui/words.tsx';
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
          <p className="break-words">
            <Words text={decision.reason} />
          </p>
          {(decision.anew ||
            (decision.status === 'waiting_person' && decision.outcome !== decision.reason)) && (
            <p className="text-sm break-words text-soft">
              <Words text={decision.outcome} />
            </p>
          )}
          {decision.usage.map((usage) => (
            <Took key={usage.model} usage={usage} />
          ))}
          {decision.evidence.map((each, index) => (
            // A checklist may name the same check twice.
            <EvidenceRow key={`${index}-${each.command}`} evidence={each} />
          ))}
        </li>
      ))}
    </ol>
  );
}

/** What asking the model took: what it read and wrote, and what that comes to. */
function Took({ usage }: { usage: UsageEntry }) {
  const { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-faint">
      <span>{model}</span>
      {usage.provenance !== 'unsettled' && (
        <span className="figure">
          read {formatTokens(inputTokens + cacheReadTokens + cacheWriteTokens)}, wrote{' '}
          {formatTokens(outputTokens)} tokens
        </span>
      )}
      <Spend totals={addUsage({}, usage)} />
    </p>
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
