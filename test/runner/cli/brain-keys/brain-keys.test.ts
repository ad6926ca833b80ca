import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runCommand, runOn } from '../../../support/command-line.ts';
import { FakeCloud } from '../../../support/fake-cloud.ts';
import { aBrainKey } from '../../../support/pilot-builders.ts';

const SECRET = 'sk-sentinel-0123456789';
let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const add = (secret: string | undefined, ...args: string[]) =>
  runCommand(['brain-keys', 'add', 'work', ...args], {
    PILOTHOUSE_URL: cloud.url,
    PILOTHOUSE_TOKEN: cloud.token,
    PILOTHOUSE_BRAIN_KEY: secret,
  });

describe('pilothouse brain-keys add', () => {
  it('sends the key of the environment, and says how to launch with it and not what it is', async () => {
    const { exitCode, stdout } = await add(SECRET, '--provider', 'anthropic');
    expect(exitCode).toBe(EXIT.ok);
    expect(cloud.requests('POST')[0]?.body).toEqual({
      name: 'work',
      provider: 'anthropic',
      secret: SECRET,
    });
    expect(stdout).toContain('--brain api --brain-key bky_1');
    expect(stdout).not.toContain(SECRET);
  });

  it('takes the address of another API, and no address that would show the key', async () => {
    const url = 'http://127.0.0.1:8000/v1';
    await add(SECRET, '--provider', 'openai-compatible', '--url', url);
    expect(cloud.requests('POST')[0]?.body).toMatchObject({ baseUrl: url });
    const refused = await add(SECRET, '--provider', 'anthropic', '--url', 'http://api.example.com');
    expect(refused).toMatchObject({ exitCode: EXIT.usage });
    expect(refused.stderr).toContain('https://');
    expect(cloud.requests('POST')).toHaveLength(1);
  });

  it('needs the address of an account where there is none that is everybody’s', async () => {
    const without = await add(SECRET, '--provider', 'workers-ai');
    expect(without).toMatchObject({ exitCode: EXIT.usage });
    expect(without.stderr).toContain('accounts/ACCOUNT/ai/v1');
    expect(cloud.requests('POST')).toEqual([]);
    const url = 'https://api.cloudflare.com/client/v4/accounts/abc123/ai/v1';
    await add(SECRET, '--provider', 'workers-ai', '--url', url);
    expect(cloud.requests('POST')[0]?.body).toMatchObject({ provider: 'workers-ai', baseUrl: url });
  });

  it('has the price of its models with it, where one is said', async () => {
    await add(SECRET, '--provider', 'anthropic', '--price', '0');
    const free = { inputMicroUsd: 0, outputMicroUsd: 0 };
    expect(cloud.requests('POST')[0]?.body).toMatchObject({ price: free });
    const refused = await add(SECRET, '--provider', 'anthropic', '--price', '3');
    expect(refused).toMatchObject({ exitCode: EXIT.usage });
    expect(refused.stderr).toContain('such as 0.15/0.60');
    expect(cloud.requests('POST')).toHaveLength(1);
  });

  it('does not take a key as an argument, and needs a provider', async () => {
    const typed = await add(undefined, SECRET, '--provider', 'anthropic');
    expect(typed.exitCode).toBe(EXIT.usage);
    expect((await add(SECRET)).stderr).toContain('--provider');
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('pilothouse brain-keys list and remove', () => {
  it('says how to begin where there is none', async () => {
    expect((await runOn(cloud, 'brain-keys', 'list')).stdout).toContain('brain-keys add');
  });

  it('has a line for each key, and removes one by its name', async () => {
    cloud.brainKeys = [aBrainKey()];
    const { stdout } = await runOn(cloud, 'brain-keys', 'list');
    expect(stdout).toMatch(/bky_1 +work +anthropic +https:\/\/api\.example\.com\/v1 +\d+d ago/);
    expect(stdout).toContain('list prices');
    expect(await jsonOf(cloud, 'brain-keys', 'list')).toMatchObject({ items: [{ name: 'work' }] });
    expect((await runOn(cloud, 'brain-keys', 'remove', 'work')).stdout).toContain('Removed work');
    expect(cloud.requests('POST')[0]?.path).toBe('/v1/brain-keys/bky_1/remove');
    const refused = await runOn(cloud, 'brain-keys', 'remove', 'other');
    expect(refused).toMatchObject({ exitCode: EXIT.refused });
    expect(refused.stderr).toContain('work (bky_1)');
  });
});
