import type { DoctorReport } from '../../protocol/machine.ts';

type Paint = (style: 'green' | 'yellow' | 'red' | 'dim', text: string) => string;

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

/** Whether anything keeps sessions from running. Warnings do not. */
export function hasProblems(report: DoctorReport): boolean {
  return report.findings.some((finding) => finding.status === 'problem');
}

/** The report as a person reads it: a line per check, and under it what to do. */
export function describeReport(report: DoctorReport, paint: Paint): string {
  const width = Math.max(0, ...report.findings.map((finding) => finding.check.length));
  const lines = report.findings.flatMap((finding) => {
    const [style, mark] = MARKS[finding.status];
    const line = `${paint(style, mark)} ${finding.check.padEnd(width)}  ${finding.message}`;
    return finding.remedy === null
      ? [line]
      : [line, `  ${''.padEnd(width)}  ${paint('dim', finding.remedy)}`];
  });
  return [...lines, '', verdictOf(report)].join('\n');
}

/** What stands under the lines: a warning stops nothing, and is not nothing either. */
function verdictOf({ findings }: DoctorReport): string {
  const count = (status: 'problem' | 'warning') => {
    const found = findings.filter((finding) => finding.status === status).length;
    return found === 0 ? null : `${found} ${status}${found === 1 ? '' : 's'}`;
  };
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems) return warnings ? `${problems}, ${warnings}.` : `${problems}.`;
  return warnings ? `${warnings}; nothing keeps sessions from running.` : 'No problems.';
}
