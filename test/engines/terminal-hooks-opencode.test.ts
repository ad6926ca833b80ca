import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { OPENCODE_QUIET, opencodeConfig } from '../e2e/opencode-world.ts';
import { calls, says } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { until } from '../support/until.ts';
import { AskingDesk } from './asking-desk.ts';

/** The real opencode in a real pane asks by its plugin, beside its own dialog. */
let api: ModelApi;
let at: AskingDesk;
let configuration: string;
const NAMES = ['allowed', 'denied', 'pane', 'expired'];
const asks = (command: string) => calls('bash', { command, description: 'Make it' });

beforeAll(async () => {
  at = new AskingDesk('opencode');
  const reads = calls('read', { filePath: join(at.work, '.env') });
  writeFileSync(join(at.work, '.env'), 'A=canary-of-env\n');
  api = await startModelApi({
    ...Object.fromEntries(
      NAMES.map((name) => [
        `make ${name}`,
        [asks(`touch ${name} && git push origin main`), says(`Over with ${name}.`)],
      ]),
    ),
    'make reads': [reads, says('Over with reading.')],
  });
  const directory = join(at.home, '.config', 'opencode');
  mkdirSync(directory, { recursive: true });
  configuration = JSON.stringify({ ...opencodeConfig(api.url), permission: { bash: 'ask' } });
  writeFileSync(join(directory, 'opencode.json'), configuration);
});
afterAll(async () => {
  at?.close();
  await api?.close();
});

const start = (name: string): Promise<string> => {
  const quiet = Object.entries(OPENCODE_QUIET).map((pair) => pair.join('='));
  const variables = ['ANTHROPIC_API_KEY=sk-fake', `HOME=${at.home}`, ...quiet];
  return at.start(name, [...variables, installEngine('opencode'), '--prompt', `make ${name}`]);
};
const DIALOG = /Permission required/;

it('asks, refuses what could answer it by keys, and goes on with a yes for this once', async () => {
  const target = await start('allowed');
  const question = await at.asked(target, 'allowed');
  const { id, permission, acts, touches } = question;
  expect(permission).toMatchObject({ engine: 'opencode', asks: 'bash', directory: at.work });
  expect(acts).toMatchObject([{ kind: 'push', target: 'origin main' }]);
  expect(touches?.commands).toEqual(['touch allowed && git push origin main']);
  await at.shows(target, DIALOG);
  expect(await at.house.refusal('tmux_send_keys', { target, keys: ['Enter'] })).toMatch(
    /^terminal_(asking|dialog)$/,
  );
  expect(at.isMade('allowed')).toBe(false);
  expect(at.desk.answer(id, { allow: true, reason: '' })).toBe('allow');
  expect(await at.ended(question)).toBe('allowed');
  await at.shows(target, /Over with allowed\./);
  expect(at.isMade('allowed')).toBe(true);
  const own = join(at.home, '.config', 'opencode', 'opencode.json');
  expect(readFileSync(own, 'utf8')).toBe(configuration);
});

it('is told a no with its reason, and runs nothing', async () => {
  const target = await start('denied');
  const question = await at.asked(target, 'denied');
  const { id } = question;
  at.desk.answer(id, { allow: false, reason: 'A person said no to this.' });
  expect(await at.ended(question)).toBe('denied');
  const told = () => JSON.stringify(api.seen).includes('A person said no to this.');
  await until('its next request', told, { withinMs: 200_000 });
  expect(at.isMade('denied')).toBe(false);
});

it('is answered in the terminal as well, which closes it elsewhere', async () => {
  const target = await start('pane');
  const question = await at.asked(target, 'pane');
  const { id } = question;
  await at.shows(target, DIALOG);
  at.house.type(target, 'Enter');
  expect(await at.ended(question)).toBe('elsewhere');
  expect(at.desk.answer(id, { allow: false, reason: '' })).toBe('over');
  await at.shows(target, /Over with pane\./);
  expect(at.isMade('pane')).toBe(true);
});

it('goes on standing in the terminal once nobody answered', async () => {
  const target = await start('expired');
  const question = await at.asked(target, 'expired');
  const { expiresAt } = question;
  at.now = expiresAt;
  expect(await at.ended(question)).toBe('expired');
  await at.shows(target, DIALOG);
  expect(at.isMade('expired')).toBe(false);
  at.now = Date.now();
});

it('names the file that it would read, and is closed when it ends', async () => {
  const target = await start('reads');
  const question = await at.asked(target, '.env');
  const { touches } = question;
  expect(touches?.paths).toContain(join(at.work, '.env'));
  const { panes } = await at.house.do('terminal_list', {});
  const agent = panes.find((pane) => pane.target === target)?.agent;
  expect(agent).toMatchObject({ engine: 'opencode' });
  process.kill(agent?.pid ?? 0, 'SIGKILL');
  expect(await at.ended(question)).toBe('gone');
  expect(JSON.stringify(api.seen)).not.toContain('canary-of-env');
});
