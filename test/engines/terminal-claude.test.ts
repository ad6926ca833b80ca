import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claudeArgv } from '../support/claude-pane.ts';
import { type Reply, runs, says } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { until } from '../support/until.ts';

/** The real claude in a real pane of tmux, which asks whether it may run something. */
const slowly = (text: string, firstByteMs: number): Reply => ({
  kind: 'message',
  content: [{ type: 'text', text }],
  firstByteMs,
});
let api: ModelApi;
let house: TerminalHouse;
let target: string;
let made: string;

beforeAll(async () => {
  house = new TerminalHouse();
  const work = join(house.directory, 'work');
  mkdirSync(work);
  made = join(work, 'made');
  api = await startModelApi({
    'make the file': [runs(`touch ${made}`), says('It is made.')],
    'say hello': [says('Hello there.')],
    'think long': [slowly('Thought through.', 8_000)],
  });
  const argv = claudeArgv(house.env['HOME'] ?? '', work, api.url, ['make the file']);
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

const instruct = (text: string) => house.do('terminal_send_text', { target, text, enter: true });
const refused = (text: string) =>
  house.refusal('terminal_send_text', { target, text, enter: true });

it('takes words and Enter once it says itself that it asks nothing, and no command of its own', async () => {
  // What stands in its box would be sent along.
  await house.do('terminal_send_text', { target, text: 'a draft' });
  await house.shows(target, /^❯\sa draft/m);
  await until('it is told', async () => (await refused('hello')) === 'terminal_unsent_text');
  await house.do('terminal_send_keys', { target, keys: ['C-u', 'C-u'] });
  await house.shows(target, (text) => /^❯\s*$/m.test(text), 'an empty box');
  for (const text of ['!touch made', '/exit', '# remember this'])
    expect(await refused(text)).toBe('terminal_text_refused');
  for (const key of ['Enter', '1', 'y']) expect(await refusedKeys(key)).toBe('terminal_dialog');
  expect(await instruct('say hello')).toMatchObject({ receipt: 'delivered' });
  await house.shows(target, /Hello there\./);
});

it('takes several lines and long ones as one instruction', async () => {
  await until('it is idle', async () => (await refused('/x')) === 'terminal_text_refused');
  const asked = api.served.length;
  const text = `first\n${'many words '.repeat(40)}\nsay hello`;
  expect(await instruct(text)).toMatchObject({ receipt: 'delivered' });
  await until('one more call', () => api.served.length > asked);
  expect(existsSync(made)).toBe(false);
});

it('takes one line so long that it is folded, and lets a folded one be taken back', async () => {
  await until('it is idle', async () => (await refused('/x')) === 'terminal_text_refused');
  const text = `${'many words '.repeat(100)}say hello`;
  await house.do('terminal_send_text', { target, text });
  await house.shows(target, /^❯\s\[Pasted text #\d+\]/m);
  await house.do('terminal_send_keys', { target, keys: ['C-u'] });
  await house.shows(target, (shown) => /^❯\s*$/m.test(shown), 'an empty box');
  const asked = api.served.length;
  expect((await instruct(text)).receipt).not.toBe('not_confirmed');
  await until('one more call', () => api.served.length > asked);
});

it('takes no Enter in the middle of a turn, whose next word may be a question, and can be interrupted', async () => {
  await until('it is idle', async () => (await refused('/x')) === 'terminal_text_refused');
  expect(await instruct('think long')).toMatchObject({ receipt: 'delivered' });
  const asked = api.served.length;
  expect(await refused('and another thing')).toBe('terminal_dialog');
  for (const key of ['Enter', '1', 'y']) expect(await refusedKeys(key)).toBe('terminal_dialog');
  expect(await house.screen(target)).not.toContain('and another thing');
  await house.do('terminal_send_keys', { target, keys: ['Escape'] });
  await house.shows(target, /Interrupted/);
  expect(await house.screen(target)).not.toContain('Thought through.');
  expect(api.served.length).toBeLessThanOrEqual(asked + 1);
});
