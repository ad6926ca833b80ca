import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countReport } from '../../../protocol/decision-results.ts';
import { EXIT } from '../../../runner/failure.ts';
import { aFinding, aRecord, aReport, aRule } from '../../support/adr-reports.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const findings = Array.from({ length: 7 }, () => aFinding({ message: 'Loud.\u001B[2J' }));
const report = aReport({
  exitCode: 1,
  records: [
    aRecord({ rules: [aRule({ state: 'violated', findings })] }),
    aRecord({ id: '0002', rules: [] }),
  ],
});
const summary = {
  reportId: 'drp_1',
  repository: 'acme/site',
  branch: 'main',
  commit: report.commit,
  mode: 'full',
  exitCode: 1,
  toolVersion: '1',
  startedAt: report.startedAt,
  receivedAt: 1,
  counts: countReport(report),
};
const key = (keyId: string, revokedAt: number | null = null) => ({
  keyId,
  repository: 'acme/site',
  name: 'CI',
  madeBy: 'cli',
  createdAt: 1,
  lastUsedAt: null,
  revokedAt,
});
const page = (...items: unknown[]) => ({ items, nextCursor: null });
const fill = () => {
  const branches = [{ branch: 'main', latest: summary, latestFull: summary }];
  const repository = { repository: 'acme/site', liveKeys: 1, branches, moreBranches: 2 };
  cloud.ledgers.set('/v1/decisions/repositories', page(repository));
  cloud.ledgers.set('/v1/decisions/reports/drp_1', { summary, report });
};

describe('pilothouse decisions list', () => {
  it('says how to begin where there is nothing', async () => {
    expect((await runOn(cloud, 'decisions', 'list')).stdout).toContain('decisions keys make');
  });
  it('has a line for each repository, and all of it for a program', async () => {
    fill();
    const { stdout } = await runOn(cloud, 'decisions', 'list');
    expect(stdout).toMatch(/acme\/site +main +violations +2 +7 +\d+d ago at 01234567… +2/);
    expect(await jsonOf(cloud, 'decisions', 'list')).toMatchObject({
      items: [{ moreBranches: 2 }],
    });
  });
});

describe('pilothouse decisions show', () => {
  it('has each record with what enforces it, some findings, and no control characters', async () => {
    fill();
    const { stdout } = await runOn(cloud, 'decisions', 'show', 'acme/site');
    expect(stdout).toContain('pool-importers  imports, enforced, 1412 files');
    expect(stdout).toContain('src/cart.ts:3 Loud.');
    expect(stdout).toContain('and 2 more: --json has all');
    expect(stdout).toMatch(/0002 .* nothing enforces it/);
    expect(stdout).not.toContain('\u001B');
  });
  it('refuses a branch without a report, and names those with one', async () => {
    fill();
    const { exitCode, stderr } = await runOn(
      cloud,
      'decisions',
      'show',
      'acme/site',
      '--branch',
      'x',
    );
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('report: main.')]);
  });
});

describe('pilothouse decisions keys', () => {
  it('prints a new key once, with what to do with it', async () => {
    cloud.ledgers.set('/v1/decisions/keys', { key: key('dky_1'), token: 'phd_token' });
    const { stdout } = await runOn(cloud, 'decisions', 'keys', 'make', '--repository', 'acme/site');
    expect(stdout).toMatch(/^phd_token\n/);
    expect(stdout).toContain('PILOTHOUSE_DECISIONS_KEY');
    expect(cloud.requests('POST')).toEqual([
      { path: '/v1/decisions/keys', body: { repository: 'acme/site', name: 'CI' } },
    ]);
  });
  it('revokes every live key of a repository and leaves revoked ones', async () => {
    cloud.ledgers.set('/v1/decisions/keys', page(key('dky_2'), key('dky_1', 5)));
    const args = ['decisions', 'keys', 'revoke', '--repository', 'acme/site'];
    expect((await runOn(cloud, ...args)).stdout).toBe('Revoked: dky_2.\n');
    expect(cloud.requests('POST').map(({ path }) => path)).toEqual([
      '/v1/decisions/keys/dky_2/revoke',
    ]);
  });
  it('wants to know which', async () => {
    expect((await runOn(cloud, 'decisions', 'keys', 'revoke')).exitCode).toBe(EXIT.usage);
  });
});
