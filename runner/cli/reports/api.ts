import { runComparison, type RunComparison } from '../../../protocol/run-compare.ts';
import {
  runReport,
  runStatus,
  type RunReport,
  type RunStatus,
} from '../../../protocol/run-report.ts';
import type { Call } from '../api.ts';

/** The part of the API that answers for whole runs. */
export type ReportApi = {
  readRunStatus(sessionId: string): Promise<RunStatus>;
  readRunReport(sessionId: string): Promise<RunReport>;
  compareRuns(sessionIds: readonly string[]): Promise<RunComparison>;
};

/** The reports' part of a client whose requests go through `call`. */
export function createReportApi(call: Call): ReportApi {
  const path = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}`;
  return {
    readRunStatus: (sessionId) => call('GET', `${path(sessionId)}/status`, runStatus),
    readRunReport: (sessionId) => call('GET', `${path(sessionId)}/report`, runReport),
    compareRuns: (sessionIds) =>
      call(
        'GET',
        `/v1/comparisons?sessions=${encodeURIComponent(sessionIds.join(','))}`,
        runComparison,
      ),
  };
}
