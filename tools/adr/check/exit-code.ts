import type { AdrReport, AdrRuleResult } from '../../../protocol/adr-report.ts';
import type { Finding } from '../finding.ts';

/**
 * 0 when all that is enforced holds, 1 when something known is broken, 2 when nothing known is
 * broken and something could not be looked at, and always when the check itself could not look.
 */
export function decideExitCode(
  looked: readonly { problems: readonly Finding[]; rules: readonly AdrRuleResult[] }[],
  problems: readonly Finding[],
): AdrReport['exitCode'] {
  if (problems.some((finding) => !finding.certain)) return 2;
  const findings = [...problems, ...looked.flatMap((one) => one.problems)];
  const rules = looked.flatMap((one) => one.rules).filter((rule) => rule.level === 'enforced');
  if (
    findings.some((finding) => finding.certain) ||
    rules.some((rule) => rule.state === 'violated')
  ) {
    return 1;
  }
  const doubt = findings.length > 0 || rules.some((rule) => rule.state === 'could_not_check');
  return doubt ? 2 : 0;
}
