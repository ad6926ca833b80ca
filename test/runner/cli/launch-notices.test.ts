import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownEntryOf } from '../../../protocol/engines.ts';
import type { ParserId } from '../../../protocol/parsers.ts';
import { noticeBlind, readNotices } from '../../../runner/cli/launch-notices.ts';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { aPreset } from '../../support/preset-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop', { engines: ['claude', 'rehearsal'] }));
});
afterEach(() => cloud.close());

describe('what a launch says before it is made', () => {
  const found = (...problems: { code: string; message: string; blocks: boolean }[]) =>
    cloud.ledgers.set('workspace', {
      path: process.cwd(),
      repository: process.cwd(),
      branch: 'main',
      commit: null,
      uncommittedFiles: 0,
      branches: ['main'],
      problems,
    });
  const lfs = { code: 'lfs', message: 'Files kept by Git LFS are pointers.', blocks: false };

  it('is what will be different in the checkout, on the other stream, and in JSON', async () => {
    found(lfs);
    const { stderr, exitCode } = await runOn(cloud, 'launch', 'go');
    expect([exitCode, stderr]).toEqual([EXIT.ok, `${lfs.message}\n`]);
    const asJson = await runOn(cloud, 'launch', '--json', 'go');
    expect(asJson.stderr).toBe('');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ notices: [lfs.message] });
  });

  it('is nothing of what the launch itself is refused for', async () => {
    found({ ...lfs, blocks: true });
    expect((await runOn(cloud, 'launch', 'go')).stderr).toBe('');
  });

  it('is nothing where nobody says it, and then the launch is made all the same', async () => {
    const { stderr, exitCode } = await runOn(cloud, 'launch', 'go');
    expect([exitCode, stderr]).toEqual([EXIT.ok, '']);
  });

  it('is not asked for in the directory itself, of a scratch repository or of a machine that is away', async () => {
    found(lfs);
    const silent = async (...args: string[]) =>
      expect((await runOn(cloud, 'launch', ...args, 'go')).stderr).toBe('');
    await silent('--in-place');
    await silent('--engine', 'rehearsal');
    expect(cloud.asked.some(({ path }) => path.endsWith('/workspace'))).toBe(false);
  });

  it('is that nobody sees what an engine without acts deploys, unless a seal prevents it', async () => {
    const keep = (of: string, parser: ParserId) =>
      cloud.ledgers.set(`/v1/engines/${of}`, {
        entry: ownEntryOf(aPreset({ id: of, parser }), 1, 1),
        versions: [],
      });
    keep('shell', 'text');
    keep('agent', 'acp');
    const said = async (grade: string, engine = 'shell') =>
      (await runOn(cloud, 'launch', '--engine', engine, '--grade', grade, 'go')).stderr;
    expect(await said('open', 'agent')).toBe('');
    expect(await said('open')).toContain('this session is open: a deploy');
    expect(await said('fenced')).toContain('this session is fenced: a deploy');
    expect(await said('sealed')).toBe('');
  });

  it('does not wait for a machine that does not answer', async () => {
    const api = { describeWorkspace: () => new Promise<never>(() => undefined) };
    const [runner] = cloud.runners;
    const request = { directory: '/code', checkout: 'own' as const };
    expect(runner && (await readNotices(api, request, runner, 1))).toEqual([]);
    const silent = { readEngine: () => new Promise<never>(() => undefined) };
    const own = { engineId: 'shell' };
    expect(runner && (await noticeBlind(silent, own, runner, 'open', 1))).toEqual([]);
  });

  it('is that an engine refuses a mode to root, and the launch is not made', async () => {
    for (const engine of cloud.runners[0]?.machine?.engines ?? []) engine.sealedOnly = ['bypass'];
    const open = await runOn(cloud, 'launch', '--approvals', 'bypass', '--grade', 'open', 'go');
    expect(open.exitCode).toBe(EXIT.refused);
    expect(open.stderr).toContain('run the runner as an ordinary user');
    expect(cloud.requests('POST')).toEqual([]);
    const asking = await runOn(cloud, 'launch', '--approvals', 'plan', '--grade', 'open', 'go');
    expect(asking.exitCode).toBe(EXIT.ok);
  });
});
