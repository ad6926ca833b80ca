import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeGemini } from '../../../../runner/engines/gemini/probe.ts';
import { CANARY } from '../canary.ts';

type Machine = {
  version?: string;
  settings?: unknown;
  files?: Record<string, string>;
  env?: Record<string, string>;
};

/** A home with gemini installed as npm does: a link to a script inside a package. */
async function aMachine({ version = '0.61.0', settings, files = {}, env = {} }: Machine) {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  };
  await put('lib/package.json', JSON.stringify({ name: '@google/gemini-cli', version }));
  await put('lib/bundle/gemini.js', '#!/bin/sh\necho must-not-be-started; exit 9\n');
  await chmod(join(home, 'lib/bundle/gemini.js'), 0o755);
  await mkdir(join(home, 'bin'));
  await symlink(join(home, 'lib/bundle/gemini.js'), join(home, 'bin/gemini'));
  if (settings !== undefined)
    await put(
      '.gemini/settings.json',
      typeof settings === 'string' ? settings : JSON.stringify(settings),
    );
  for (const [path, text] of Object.entries(files)) await put(path, text);
  return { HOME: home, PATH: join(home, 'bin'), ...env };
}

const chooses = (selectedType: string) => ({ security: { auth: { selectedType } } });
const key = { GEMINI_API_KEY: CANARY };

describe('the readiness of gemini', () => {
  test('absent: says how to install it', async () => {
    expect(await probeGemini({ HOME: '/nonexistent', PATH: '/nonexistent' })).toMatchObject({
      ready: false,
      executable: null,
      remedy: expect.stringContaining('npm install'),
    });
  });

  test('reads the version from the package, without starting anything', async () => {
    const found = await probeGemini(await aMachine({ env: key }));
    expect(found).toMatchObject({ ready: true, version: '0.61.0', problem: null });
  });

  test('too old: says so', async () => {
    const found = await probeGemini(await aMachine({ version: '0.9.0', env: key }));
    expect(found).toMatchObject({ ready: false, problem: expect.stringContaining('too old') });
  });

  test('offers asking by its protocol alone, where it cannot tell what it costs', async () => {
    const { approvals, asks } = await probeGemini(await aMachine({ env: key }));
    expect(approvals).toEqual(['ask', 'accept_edits', 'plan', 'bypass']);
    expect(asks).toEqual(['ask']);
  });

  test.each<[string, Machine, string, string]>([
    ['a key in the environment', { env: key }, 'api-key', 'GEMINI_API_KEY'],
    [
      'a key in gemini’s own file',
      { files: { '.gemini/.env': `export GEMINI_API_KEY="${CANARY}"\n` } },
      'api-key',
      'GEMINI_API_KEY',
    ],
    [
      'the key that the settings choose, in gemini’s own file',
      {
        settings: chooses('gemini-api-key'),
        files: { '.gemini/.env': `GEMINI_API_KEY=${CANARY}` },
      },
      'api-key',
      'GEMINI_API_KEY',
    ],
    [
      'a Google login',
      {
        settings: chooses('oauth-personal'),
        files: { '.gemini/oauth_creds.json': '{}' },
        env: key,
      },
      'subscription',
      'oauth-personal',
    ],
    [
      'settings with a comment',
      {
        settings: `{\n  // mine\n  "security": {"auth": {"selectedType": "vertex-ai"}}\n}`,
        env: { GOOGLE_API_KEY: CANARY },
      },
      'api-key',
      'GOOGLE_API_KEY',
    ],
    [
      'a project of Vertex AI',
      {
        env: {
          GOOGLE_GENAI_USE_VERTEXAI: 'true',
          GOOGLE_CLOUD_PROJECT: 'p',
          GOOGLE_CLOUD_LOCATION: 'l',
        },
      },
      'api-key',
      'GOOGLE_CLOUD_PROJECT',
    ],
  ])('with %s: says who pays, by a name', async (_what, machine, payer, credential) => {
    const found = await probeGemini(await aMachine(machine));
    expect(found).toMatchObject({ ready: true, payer, credential });
    expect(JSON.stringify(found)).not.toContain(CANARY);
  });

  test.each<[string, Machine, string]>([
    ['nothing at all', {}, 'not logged in'],
    ['an empty key', { env: { GEMINI_API_KEY: '' } }, 'not logged in'],
    [
      'a Google login that nobody made',
      { settings: chooses('oauth-personal'), env: key },
      'Google',
    ],
    ['a gateway', { env: { ...key, GOOGLE_GEMINI_BASE_URL: 'http://x' } }, 'gateway'],
    ['Vertex AI without a project', { env: { GOOGLE_GENAI_USE_VERTEXAI: 'true' } }, 'Vertex'],
    ['settings that cannot be read', { settings: '{', env: key }, 'is no JSON'],
  ])('with %s: not ready, and says what to do', async (_what, machine, words) => {
    const found = await probeGemini(await aMachine(machine));
    expect(found).toMatchObject({ ready: false, credential: null });
    expect(found.problem).toContain(words);
    expect(found.remedy).toBeTruthy();
  });
});
