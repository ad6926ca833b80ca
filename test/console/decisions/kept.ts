import { MockDecisions } from '../../../console/mock/decisions.ts';
import type { ReportDetail } from '../../../protocol/decisions.ts';
import { aReport } from '../../support/adr-reports.ts';

/** A report as it is kept once a build posted it. */
export function kept(over: Parameters<typeof aReport>[0] = {}): ReportDetail {
  const decisions = new MockDecisions();
  decisions.post('acme/site', 'main', aReport(over));
  const [detail] = decisions.reports;
  if (!detail) throw new Error('nothing was kept');
  return detail;
}
