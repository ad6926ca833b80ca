import type { AdrReport } from '../../../protocol/adr-report.ts';

export const FORMATS = ['terminal', 'json', 'sarif', 'github', 'junit'] as const;
export type Format = (typeof FORMATS)[number];

/** `color`: escape sequences may be used; `width`: columns of the terminal, for the terminal report. */
export type FormatOptions = { color: boolean; width: number };

/** A report in one of the formats, without a line end at the end. */
export function formatReport(report: AdrReport, format: Format, _options: FormatOptions): string {
  switch (format) {
    case 'json':
    case 'terminal':
    case 'sarif':
    case 'github':
    case 'junit':
      return JSON.stringify(report, null, 2);
    default:
      return format satisfies never;
  }
}
