import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { codexConfig } from '../e2e/codex-world.ts';
import { startResponsesApi, type ResponsesApi } from '../support/model-api/responses.ts';
import { calls, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { AskingDesk } from './asking-desk.ts';

/** The real codex in a real pane asks its hook first, which trusts nothing but that one hook. */
let api: ResponsesApi;
let at: AskingDesk;
/** What its model wants to run outside of codex's sandbox. */
const asks = (command: string) =>
  calls('Bash', { command, sandbox_permissions: 'require_escalated', justification: 'Make it?' });

beforeAll(async () => {
  at = new AskingDesk('codex');
  const names = ['allowed', 'denied', 'expired'];
  api = await startResponsesApi(
    Object.fromEntries(
      names.map((name) => [`make ${name}`, [asks(`touch ${name}`), says(`Over with ${name}.`)]]),
    ),
  );
  // One that somebody put into the checkout, and nobody reviewed.
  const theirs = [{ hooks: [{ type: 'command', command: `touch ${join(at.work, 'theirs')}` }] }];
  const all = { hooks: { PermissionRequest: theirs, SessionStart: theirs } };
  mkdirSync(join(at.work, '.codex'));
  writeFileSync(join(at.work, '.codex', 'hooks.json'), JSON.stringify(all));
  const own = join(at.home, '.codex');
  mkdirSync(own);
  const trust = `\n[projects."${at.work}"]\ntrust_level = "trusted"\n`;
  writeFileSync(join(own, 'config.toml'), `${codexConfig(api.url)}${trust}`);
});
afterAll(async () => {
  at?.close();
  await api?.close();
});

async function start(name: string): Promise<string> {
  const options = ['-a', 'on-request', '-s', 'read-only', `make ${name}`];
  const variables = ['OPENAI_API_KEY=sk-fake', `HOME=${at.home}`];
  const target = await at.start(name, [...variables, installEngine('codex'), ...options]);
  // It counts the checkout's two alone: ours it trusts.
  await at.shows(target, /2 hooks are new or changed/);
  at.house.type(target, 'Escape');
  return target;
}

it('asks, and goes on with a yes, though no other hook that is not reviewed was run', async () => {
  const target = await start('allowed');
  const question = await at.asked(target, 'allowed');
  const { id, permission } = question;
  expect(permission).toMatchObject({ engine: 'codex', directory: at.work });
  expect(permission.input).toContain('touch allowed');
  expect(at.desk.answer(id, { allow: true, reason: '' })).toBe('allow');
  expect(await at.ended(question)).toBe('allowed');
  await at.shows(target, /Over with allowed\./);
  expect(at.isMade('allowed')).toBe(true);
  expect(at.isMade('theirs')).toBe(false);
});

it('is told a no with its reason', async () => {
  const target = await start('denied');
  const question = await at.asked(target, 'denied');
  const { id } = question;
  at.desk.answer(id, { allow: false, reason: 'A person said no.' });
  expect(await at.ended(question)).toBe('denied');
  await until('its next request', () => JSON.stringify(api.seen).includes('A person said no.'));
  expect(at.isMade('denied')).toBe(false);
});

it('shows its own dialog once nobody answered', async () => {
  const target = await start('expired');
  const question = await at.asked(target, 'expired');
  const { expiresAt } = question;
  expect(await at.house.screen(target)).not.toMatch(/Yes, proceed/);
  at.now = expiresAt;
  expect(await at.ended(question)).toBe('expired');
  await at.shows(target, /Yes, proceed/);
  expect(at.isMade('expired')).toBe(false);
});
