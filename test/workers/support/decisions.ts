import type { AdrReport } from '../../../protocol/adr-report.ts';
import {
  madeDecisionKey,
  type MadeDecisionKey,
  repositoryPage,
  type RepositoryResult,
} from '../../../protocol/decisions.ts';
import { aReport } from '../../support/adr-reports.ts';
import { type Answer, ask } from './http.ts';

export async function makeDecisionKey(
  cli: string,
  repository = 'acme/site',
  name = 'CI',
): Promise<MadeDecisionKey> {
  const answer = await ask('POST', '/v1/decisions/keys', {
    bearer: cli,
    body: { repository, name },
  });
  return madeDecisionKey.parse(answer.body);
}

/** Posts a report as a build does. */
export function post(
  token: string,
  report: Partial<AdrReport> = {},
  branch = 'main',
): Promise<Answer> {
  return ask('POST', `/v1/decisions/reports?branch=${encodeURIComponent(branch)}`, {
    bearer: token,
    body: aReport(report),
  });
}

export async function listRepositories(cli: string, query = ''): Promise<RepositoryResult[]> {
  const answer = await ask('GET', `/v1/decisions/repositories${query}`, { bearer: cli });
  return repositoryPage.parse(answer.body).items;
}
