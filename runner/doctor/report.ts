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
  const problems = report.findings.filter((finding) => finding.status === 'problem').length;
  const verdict =
    problems === 0 ? 'No problems.' : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`;
  return [...lines, '', verdict].join('\n');
}
