import type { AdrReport } from '../../../protocol/adr-report.ts';
import { formatGithub } from './github.ts';
import { formatJunit } from './junit.ts';
import { formatSarif } from './sarif.ts';
import { formatTerminal } from './terminal.ts';

export const FORMATS = ['terminal', 'json', 'sarif', 'github', 'junit'] as const;
export type Format = (typeof FORMATS)[number];

/** `color`: escape sequences may be used; `width`: columns of the terminal, for the terminal report. */
export type FormatOptions = { color: boolean; width: number };

/** A report in one of the formats, without a line end at the end. */
export function formatReport(report: AdrReport, format: Format, options: FormatOptions): string {
  switch (format) {
    case 'json':
      return JSON.stringify(report, null, 2);
    case 'terminal':
      return formatTerminal(report, options);
    case 'sarif':
      return formatSarif(report);
    case 'github':
      return formatGithub(report);
    case 'junit':
      return formatJunit(report);
    default:
      return format satisfies never;
  }
}
