import type { AdrReport } from '../../protocol/adr-report.ts';
import { countReport, orderBranches } from '../../protocol/decision-results.ts';
import {
  type DecisionKey,
  decisionKey,
  makeDecisionKeyRequest,
  type ReportDetail,
  reportDetail,
  type RepositoryResult,
} from '../../protocol/decisions.ts';

export const KEY_TOKEN = 'phd_sentinel';

/** Repositories, reports and keys as the stand-in server knows them. */
export class MockDecisions {
  readonly reports: ReportDetail[] = [];
  readonly keys: DecisionKey[] = [];

  /** Keeps a report as if a build had posted it. */
  post(repository: string, branch: string, report: AdrReport): void {
    const { commit, mode, exitCode, startedAt, tool } = report;
    const reportId = `drp_${this.reports.length + 1}`;
    const counts = countReport(report);
    const run = { commit, mode, exitCode, startedAt, toolVersion: tool.version, counts };
    const summary = { reportId, repository, branch, receivedAt: startedAt, ...run };
    this.reports.push(reportDetail.parse({ summary, report }));
  }

  /** The body of an answer; null where there is nothing. */
  answer(method: string, address: URL, body: unknown, nowMs: number): unknown {
    const asked = `${method} ${address.pathname.replace('/v1/decisions/', '')}`;
    const repository = address.searchParams.get('repository');
    const one = /^GET reports\/(\w+)$/.exec(asked)?.[1];
    if (one) return this.reports.find(({ summary }) => summary.reportId === one) ?? null;
    const revoked = this.keys.find(({ keyId }) => asked === `POST keys/${keyId}/revoke`);
    if (revoked) {
      revoked.revokedAt = nowMs;
      return { accepted: true };
    }
    switch (asked) {
      case 'POST keys':
        return this.#makeKey(body, nowMs);
      case 'GET keys':
        return page(this.keys.filter((key) => key.repository === repository));
      case 'GET reports':
        return page(this.#runs(repository, address.searchParams.get('branch')));
      case 'GET repositories':
        return page(
          this.#repositories().filter((found) => !repository || found.repository === repository),
        );
      default:
        return null;
    }
  }

  #makeKey(body: unknown, nowMs: number): unknown {
    const key = decisionKey.parse({
      ...makeDecisionKeyRequest.parse(body),
      keyId: `dky_${this.keys.length + 1}`,
      madeBy: 'person',
      createdAt: nowMs,
      lastUsedAt: null,
      revokedAt: null,
    });
    this.keys.unshift(key);
    return { key, token: KEY_TOKEN };
  }

  #runs(repository: string | null, branch: string | null) {
    return this.reports
      .map(({ summary }) => summary)
      .filter((run) => run.repository === repository && (!branch || run.branch === branch))
      .toSorted((a, b) => b.startedAt - a.startedAt);
  }

  #repositories(): RepositoryResult[] {
    const named = [...this.reports.map(({ summary }) => summary), ...this.keys];
    return [...new Set(named.map(({ repository }) => repository))].map((repository) => {
      const names = new Set(this.#runs(repository, null).map(({ branch }) => branch));
      const branches = [...names].flatMap((branch) => {
        const runs = this.#runs(repository, branch);
        const latestFull = runs.find(({ mode }) => mode === 'full') ?? null;
        return runs[0] ? [{ branch, latest: runs[0], latestFull }] : [];
      });
      return { repository, liveKeys: 1, branches: orderBranches(branches), moreBranches: 0 };
    });
  }
}

const page = (items: readonly unknown[]) => ({ items, nextCursor: null });
