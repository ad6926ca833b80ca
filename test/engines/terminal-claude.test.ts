import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { CANARY_KEY, claudeEnv } from '../support/model-api/raw-claude.ts';
import { runs, says } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { TerminalHouse } from '../support/terminal-house.ts';

/** The real claude in a real pane of tmux, which asks whether it may run something. */
let api: ModelApi;
let house: TerminalHouse;
let target: string;
let made: string;

beforeAll(async () => {
  house = new TerminalHouse();
  const work = join(house.directory, 'work');
  mkdirSync(work);
  made = join(work, 'made');
  api = await startModelApi({ 'make the file': [runs(`touch ${made}`), says('It is made.')] });
  const home = house.env['HOME'] ?? '';
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [CANARY_KEY.slice(-20)], rejected: [] },
    projects: { [work]: { hasTrustDialogAccepted: true } },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(answers));
  const words = Object.entries(claudeEnv(home, api.url)).map((pair) => pair.join('='));
  const argv = [
    'env',
    '-C',
    work,
    ...words,
    installEngine('claude'),
    '--permission-mode',
    'default',
    'make the file',
  ];
  target = (await house.session('claude', argv)).pane;
  await house.shows(target, /Do you want to proceed\?/);
});
afterAll(async () => {
  house.close();
  await api.close();
});

const refusedKeys = (...keys: string[]) => house.refusal('terminal_send_keys', { target, keys });

it('is known by its process, and takes no answer from an operator', async () => {
  const { panes } = await house.do('terminal_list', {});
  expect(panes.find((pane) => pane.target === target)?.agent).toMatchObject({ engine: 'claude' });
  const asked = api.served.length;
  for (const key of ['Enter', '1', '2', 'y', 'Space', 'Tab', 'BTab', 'C-m'])
    expect(await refusedKeys(key)).toBe('terminal_dialog');
  for (const text of ['1', 'yes'])
    expect(await house.refusal('terminal_send_text', { target, text, enter: true })).toBe(
      'terminal_dialog',
    );
  // As a paste, what would be a choice is none; what moves shows that it was read.
  await house.do('terminal_send_text', { target, text: '1' });
  await house.do('terminal_send_keys', { target, keys: ['Down'] });
  await house.shows(target, /❯ 2\./);
  expect(await house.screen(target)).toContain('Do you want to proceed?');
  expect(api.served).toHaveLength(asked);
  expect(existsSync(made)).toBe(false);
});

it('lets an operator leave the question, and then nothing was run', async () => {
  await house.do('terminal_send_keys', { target, keys: ['Escape'] });
  await house.shows(target, (text) => !text.includes('Do you want to proceed?'), 'no question');
  expect(existsSync(made)).toBe(false);
});
