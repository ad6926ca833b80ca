import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-named-'));
});
afterEach(() => rmSync(root, { recursive: true }));

test('what limits.toml names is a secret, at once and while the file cannot be read', async () => {
  const file = join(root, 'limits.toml');
  const limits = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  const env = { HOME: root, PILOTHOUSE_LIMITS: file, CUSTOMER_NUMBER: '4711000815' };
  const ports = createLaunchPorts(join(root, 'data'), env);
  const values = async () => {
    const secrets = await ports.readSecrets(scriptedEngine(), null);
    return secrets.map(({ value }) => value);
  };
  expect(await values()).not.toContain('4711000815');
  limits('secret_variables = ["CUSTOMER_NUMBER"]\n');
  expect(await values()).toContain('4711000815');
  limits('[[secret_patterns]]\nname = "K"\npattern = "key-[0-9]{9}"\n');
  expect(await values()).toEqual(expect.arrayContaining(['key-[0-9]{9}']));
  limits('secret_variables = ["CUSTOMER_NUMBER"]\n');
  limits('secret_variables = [\n');
  expect(await values()).not.toContain('4711000815');
  expect(await values()).toContain('key-[0-9]{9}');
  limits('');
  expect(await values()).not.toContain('4711000815');
  await ports.close();
});

test('what any engine keeps in the same home is a secret, whichever of them runs', async () => {
  const kept = {
    '.claude/settings.json': '{ "env": { "ANTHROPIC_API_KEY": "c4n4ry-1" } }',
    '.codex/auth.json': '{ "OPENAI_API_KEY": "c4n4ry-2" }',
    '.gemini/.env': 'GEMINI_API_KEY=c4n4ry-3',
    '.config/opencode/opencode.jsonc':
      '{ // mine\n "provider": { "own": { "options": { "apiKey": "c4n4ry-4", }, }, } }',
    '.qwen/settings.json': '{ "env": { "OPENAI_API_KEY": "c4n4ry-5" } }',
  };
  for (const [path, text] of Object.entries(kept)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const ports = createLaunchPorts(join(root, 'data'), { HOME: root, PILOTHOUSE_LIMITS: 'none' });
  const secrets = await ports.readSecrets(scriptedEngine(), null);
  expect(secrets.map(({ value }) => value)).toEqual(
    expect.arrayContaining([1, 2, 3, 4, 5].map((number) => `c4n4ry-${number}`)),
  );
  await ports.close();
});
