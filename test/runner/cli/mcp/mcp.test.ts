import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_laptop', 'laptop'));
});
afterEach(() => cloud.close());

const run = (...args: string[]) => runOn(cloud, 'mcp', 'keys', ...args);

describe('pilothouse mcp keys', () => {
  it('makes one of an instance by its name, shown once with what to write where', async () => {
    await runOn(cloud, 'operators', 'make', 'opr_tmux', '--name', 'build watcher');
    const { stdout } = await run('make', '--instance', 'build watcher', '--name', 'my agent');
    const body = { name: 'my agent', instanceId: expect.stringMatching(/^ins_/), scopes: [] };
    expect(cloud.requests('POST').at(-1)?.body).toEqual(body);
    expect(stdout).toMatch(/^phm_sentinel\n/);
    expect(stdout).toContain(`claude mcp add --transport http pilothouse ${cloud.url}/mcp`);
    expect(stdout).toContain('bearer_token_env_var');
    expect(stdout).toContain('mcp keys revoke mky_1');
  });

  it('makes one of the control plane, as JSON with its address', async () => {
    const made = await jsonOf(cloud, 'mcp', 'keys', 'make', '--scope', 'read', 'write');
    expect(made).toMatchObject({
      key: { scopes: ['read', 'write'], instanceId: null },
      url: `${cloud.url}/mcp`,
    });
  });

  it.each([
    [['make'], 'either --instance or --scope'],
    [['make', '--scope', 'all'], 'choices'],
    [['make', '--scope', 'read', '--instance', 'x'], 'either --instance or --scope'],
  ])('refuses %j as wrong usage', async (args, words) => {
    const refused = await run(...args);
    expect(refused.exitCode).toBe(EXIT.usage);
    expect(refused.stderr).toContain(words);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it('lists them without secrets, and revokes', async () => {
    expect((await run('list')).stdout).toContain('mcp keys make');
    const key = { keyId: 'mky_1', name: 'my agent', instanceId: null, scopes: ['read'] };
    const times = { madeBy: 'cli', createdAt: 1, lastUsedAt: null, revokedAt: null };
    cloud.ledgers.set('mcp-keys', [{ ...key, ...times }]);
    expect((await run('list')).stdout).toMatch(/mky_1 +my agent +read .+never +live/);
    expect((await run('revoke', 'mky_1')).stdout).toBe('Revoked: mky_1.\n');
  });
});
