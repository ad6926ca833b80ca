import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runCommand, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { aChannel, aConnection } from '../../../support/forge/channel-builders.ts';

const TOKEN = 'ghp_sentinel-of-the-tests';
let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_laptop', 'laptop', { engines: ['rehearsal', 'claude'] }));
});
afterEach(() => cloud.close());

const connect = (args: string[], env: Record<string, string | undefined> = {}) =>
  runCommand(['github', 'connect', 'octo/site', ...args], {
    PILOTHOUSE_URL: cloud.url,
    PILOTHOUSE_TOKEN: cloud.token,
    PILOTHOUSE_GITHUB_TOKEN: TOKEN,
    ...env,
  });
const sent = () => cloud.requests('POST')[0]?.body;

describe('pilothouse github connect', () => {
  it('fixes everything of the launches, and asks every minute where nobody says otherwise', async () => {
    const done = await connect(['--budget', '5', '--dir', '/home/dev/site']);
    expect(done).toMatchObject({ exitCode: EXIT.ok });
    expect(sent()).toEqual({
      repository: 'octo/site',
      label: 'pilothouse',
      associations: ['OWNER', 'MEMBER', 'COLLABORATOR'],
      delivery: 'poll',
      apiUrl: 'https://api.github.com',
      token: TOKEN,
      webhookSecret: null,
      launch: {
        runnerId: 'run_laptop',
        engineId: 'claude',
        directory: '/home/dev/site',
        model: null,
        approvals: 'ask',
        grade: null,
        budgetMicroUsd: 5_000_000,
        limits: null,
        pilot: null,
      },
    });
    expect(done.stdout).toMatch(
      /Connected octo\/site: claude in \/home\/dev\/site, at most \$5\.00/,
    );
    expect(done.stdout).toContain('nothing has to be set on GitHub');
    expect(done.stdout).not.toContain(TOKEN);
  });

  it('makes the secret of a webhook, shows it once and where GitHub has to send', async () => {
    const { stdout } = await connect(['--budget', '5', '--webhook']);
    const { webhookSecret } = sent() as { webhookSecret: string };
    expect(webhookSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(stdout).toContain(webhookSecret);
    expect(stdout).toContain(`${cloud.url}/v1/github/webhooks/ghc_1`);
  });

  it('takes the secret of a webhook that is there, and shows nothing of it', async () => {
    const secret = 'a-secret-that-github-has-already';
    const { stdout } = await connect(['--budget', '5', '--webhook'], {
      PILOTHOUSE_GITHUB_SECRET: secret,
    });
    expect(sent()).toMatchObject({ webhookSecret: secret });
    expect(stdout).not.toContain(secret);
  });

  it('takes who may ask, what is merged at most, and a Pilot with its checks', async () => {
    const home = mkdtempSync(join(tmpdir(), 'pilothouse-github-'));
    const file = join(home, 'done.yaml');
    writeFileSync(file, 'steps:\n  - title: Tests\n    check: npm test\n');
    const rest = ['--from', 'owner, contributor', '--policy', 'none', '--grade', 'sealed'];
    const pilot = ['--mode', 'pilot', '--checklist', file];
    const done = await connect(['--budget', '5', ...rest, ...pilot]);
    rmSync(home, { recursive: true });
    expect({ ...done, stdout: '' }).toMatchObject({ exitCode: EXIT.ok });
    expect(sent()).toMatchObject({
      associations: ['OWNER', 'CONTRIBUTOR'],
      launch: {
        policy: { mode: 'none' },
        grade: 'sealed',
        pilot: { mode: 'pilot', brain: { kind: 'checklist', steps: [{ check: 'npm test' }] } },
      },
    });
  });

  it.each<[string, string[]]>([
    ['no budget', []],
    ['a budget of nothing', ['--budget', '0']],
    ['a rank that GitHub does not know', ['--budget', '5', '--from', 'friends']],
    ['a Pilot without checks', ['--budget', '5', '--mode', 'pilot']],
    ['the token as an argument', ['--budget', '5', '--token', TOKEN]],
    ['a policy that is none', ['--budget', '5', '--policy', 'all']],
  ])('refuses %s, and sends nothing', async (_, args) => {
    const refused = await connect(args);
    expect(refused.exitCode).toBe(EXIT.usage);
    expect(refused.stderr).not.toBe('');
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('pilothouse github list and remove', () => {
  it('says how to begin where nothing is connected', async () => {
    expect((await runOn(cloud, 'github', 'list')).stdout).toContain('github connect OWNER/NAME');
  });

  it('has a line for each repository, and what went wrong with it last', async () => {
    const fault = 'GitHub did not answer as it should. (it answered 401)';
    cloud.ledgers.set('github', [aChannel(aConnection(), { fault })]);
    const { stdout } = await runOn(cloud, 'github', 'list');
    expect(stdout).toMatch(/octo\/site +pilothouse +poll +claude +\$5\.00 +\/home\/dev\/site/);
    expect(stdout).toContain(`octo/site: ${fault}`);
    expect(await jsonOf(cloud, 'github', 'list')).toMatchObject({ items: [{ fault }] });
  });

  it('removes one by its name, however it is written, or by its id', async () => {
    cloud.ledgers.set('github', [aChannel()]);
    for (const name of ['Octo/Site', 'ghc_1'])
      expect((await runOn(cloud, 'github', 'remove', name)).stdout).toBe(
        'Disconnected octo/site.\n',
      );
    expect(cloud.requests('POST').map(({ path }) => path)).toEqual([
      '/v1/github/channels/ghc_1/remove',
      '/v1/github/channels/ghc_1/remove',
    ]);
  });

  it('refuses to remove what is not connected', async () => {
    const refused = await runOn(cloud, 'github', 'remove', 'octo/other');
    expect(refused).toMatchObject({ exitCode: EXIT.refused });
    expect(refused.stderr).toContain('octo/other is not connected');
  });
});
