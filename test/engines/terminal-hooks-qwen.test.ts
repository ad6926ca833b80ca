import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { QWEN_CANARY, qwenSettings } from '../e2e/qwen-world.ts';
import { type ChatApi, startChatApi } from '../support/model-api/chat-api.ts';
import { calls, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { AskingDesk } from './asking-desk.ts';

/** The real qwen in a real pane asks its hook first, beside hooks of the person's own. */
let api: ChatApi;
let at: AskingDesk;
let configuration: string;
const asks = (command: string) => calls('run_shell_command', { command, is_background: false });

beforeAll(async () => {
  at = new AskingDesk('qwen');
  api = await startChatApi(
    Object.fromEntries(
      ['allowed', 'denied', 'expired'].map((name) => [
        `make ${name}`,
        [asks(`touch ${name}`), says(`Over with ${name}.`)],
      ]),
    ),
  );
  const theirs = { type: 'command', command: `touch ${join(at.work, 'theirs')}` };
  const hooks = { SessionStart: [{ hooks: [theirs] }] };
  configuration = `${JSON.stringify({ ...qwenSettings, hooks }, null, 2)}\n`;
  mkdirSync(join(at.home, '.qwen'));
  writeFileSync(join(at.home, '.qwen', 'settings.json'), configuration);
});
afterAll(async () => {
  at?.close();
  await api?.close();
});

const start = (name: string): Promise<string> => {
  const key = [`OPENAI_API_KEY=${QWEN_CANARY}`, `OPENAI_BASE_URL=${api.url}/v1`];
  const variables = [...key, `HOME=${at.home}`];
  // Left to itself a model of its own decides, and asks nobody.
  const mode = ['--approval-mode', 'default'];
  return at.start(name, [...variables, installEngine('qwen'), ...mode, '-i', `make ${name}`]);
};

it('asks, and goes on with a yes, beside the person’s own hooks', async () => {
  const target = await start('allowed');
  const question = await at.asked(target, 'allowed');
  const { id, permission, touches } = question;
  expect(permission).toMatchObject({ engine: 'qwen', asks: 'run_shell_command' });
  expect(touches?.commands).toEqual(['touch allowed']);
  expect(at.isMade('allowed')).toBe(false);
  expect(at.desk.answer(id, { allow: true, reason: '' })).toBe('allow');
  expect(await at.ended(question)).toBe('allowed');
  await at.shows(target, /Over with allowed\./);
  expect(at.isMade('allowed')).toBe(true);
  expect(at.isMade('theirs')).toBe(true);
  expect(readFileSync(join(at.home, '.qwen', 'settings.json'), 'utf8')).toBe(configuration);
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

it('shows its own dialog once nobody answered', async () => {
  const target = await start('expired');
  const question = await at.asked(target, 'expired');
  const { expiresAt } = question;
  at.now = expiresAt;
  expect(await at.ended(question)).toBe('expired');
  await at.shows(target, /Allow execution|Yes, allow once/);
  expect(at.isMade('expired')).toBe(false);
});
