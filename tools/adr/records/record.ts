import type { AdrStatus } from '../../../protocol/adr-report.ts';
import type { Finding } from '../finding.ts';
import type { EnforcementRule, WaiverRow } from '../rules/schema.ts';

export type RecordStyle = 'madr' | 'nygard';

/** A waiver with the line on which it stands. */
export type Waiver = WaiverRow & { line: number };

/** A decision record as read. `path` is relative to the root, with `/`. */
export type DecisionRecord = {
  id: string;
  number: number;
  path: string;
  style: RecordStyle;
  title: string;
  status: AdrStatus;
  date: string | null;
  supersedes: string[];
  supersededBy: string[];
  rules: EnforcementRule[];
  waivers: Waiver[];
  text: string;
  /** Links to files beside the record, with the line of each. */
  links: { url: string; line: number }[];
  /** What is wrong with its form. */
  problems: Finding[];
};
