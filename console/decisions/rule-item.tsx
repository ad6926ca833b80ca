import { formatCount } from '../format/locale.ts';
import type { AdrRuleResult } from '../../protocol/adr-report.ts';
import { unitOf, verdictOfRule } from '../../protocol/decision-results.ts';
import type { ReportSummary } from '../../protocol/decisions.ts';
import { formatDuration } from '../format/time.ts';
import { Ago } from '../ui/time.tsx';
import { Findings } from './findings.tsx';
import { LongText } from './long-text.tsx';
import { VerdictMark } from './verdict-mark.tsx';
import { shortCommit, showInvisible } from './visible.ts';
import { VERDICTS } from './words.ts';

/** One rule: whether it holds, what kind it is, how much it looked at, why it is there. */
export function RuleItem({ rule, run }: { rule: AdrRuleResult; run: ReportSummary }) {
  const { examined, note } = rule;
  const verdict = verdictOfRule(rule);
  return (
    <li className="px-3 py-2.5" data-rule={rule.id} data-verdict={verdict}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <VerdictMark look={VERDICTS[verdict]} />
        <code className="min-w-0 break-all">{showInvisible(rule.id)}</code>
        <span className="text-sm text-soft">
          {rule.kind} · {rule.level}
        </span>
        <span className="figure text-sm text-soft md:ml-auto">
          {formatCount(examined.count)} {showInvisible(unitOf(examined))}
        </span>
      </div>
      <p className="mt-0.5 break-words text-soft">
        <LongText text={rule.reason} />
      </p>
      {note !== null && (
        <p className="mt-0.5 break-words">
          <LongText text={note} />
        </p>
      )}
      <p className="mt-0.5 text-sm text-faint">
        {verdict === 'skipped' ? 'left out' : 'checked'} <Ago at={run.startedAt} />
        {run.commit !== null && (
          <>
            {' '}
            at <code>{shortCommit(run.commit)}</code>
          </>
        )}
        {verdict !== 'skipped' && `, took ${formatDuration(rule.durationMs)}`}
      </p>
      <Findings
        findings={rule.findings}
        label={`Findings of ${rule.id}`}
        failing={rule.level === 'enforced'}
      />
    </li>
  );
}
