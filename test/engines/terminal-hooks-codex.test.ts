import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { instanceId } from '../../protocol/ids.ts';
import type { PaneQuestion } from '../../protocol/pane-question.ts';
import { terminalSession } from '../../protocol/terminal.ts';
import { Store } from '../../runner/link/store.ts';
import { QuestionDesk } from '../../runner/questions/question-desk.ts';
import { QuestionStore } from '../../runner/questions/question-store.ts';
import { readTokenKey } from '../../runner/questions/question-token.ts';
import { startingWith } from '../../runner/questions/start-agent.ts';
import { executeTerminalCall } from '../../runner/terminal/execute.ts';
import { locateAgent } from '../../runner/terminal/locate-agent.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { codexConfig } from '../e2e/codex-world.ts';
import { startResponsesApi, type ResponsesApi } from '../support/model-api/responses.ts';
import { calls, says } from '../support/model-api/script.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { until } from '../support/until.ts';

/** The real codex in a real pane asks its hook first, which trusts nothing but that one hook. */
let api: ResponsesApi;
let house: TerminalHouse;
let store: Store;
let desk: QuestionDesk;
let work: string;
let sent: PaneQuestion[] = [];
let now = Date.now();
const DRIVE = { instanceId: instanceId.parse('ins_1'), callId: 'start' };
/** What its model wants to run outside of codex's sandbox. */
const asks = (command: string) =>
  calls('Bash', { command, sandbox_permissions: 'require_escalated', justification: 'Make it?' });
const file = (name: string) => join(work, name);

beforeAll(async () => {
  house = new TerminalHouse();
  work = join(house.directory, 'work');
  mkdirSync(join(work, '.codex'), { recursive: true });
  const names = ['allowed', 'denied', 'expired'];
  api = await startResponsesApi(
    Object.fromEntries(
      names.map((name) => [`make ${name}`, [asks(`touch ${name}`), says(`Over with ${name}.`)]]),
    ),
  );
  // One that somebody put into the checkout, and nobody reviewed.
  const theirs = [{ hooks: [{ type: 'command', command: `touch ${join(work, 'theirs')}` }] }];
  const all = { hooks: { PermissionRequest: theirs, SessionStart: theirs } };
  writeFileSync(join(work, '.codex', 'hooks.json'), JSON.stringify(all));
  const own = join(house.env['HOME'] ?? '', '.codex');
  mkdirSync(own);
  const trust = `\n[projects."${work}"]\ntrust_level = "trusted"\n`;
  writeFileSync(join(own, 'config.toml'), `${codexConfig(api.url)}${trust}`);
  store = new Store(join(house.directory, 'runner.db'));
  const log = () => undefined;
  desk = new QuestionDesk({
    store: new QuestionStore(store, log),
    socketPath: join(house.root, 'ask.sock'),
    key: readTokenKey(house.root),
    secrets: () => [],
    locate: (pids) => locateAgent(house.terminals, { backends: ['tmux'] }, pids),
    hooked: () => ['claude', 'codex'],
    send: (question) => void sent.push(question),
    log,
    now: () => now,
  });
  desk.start();
});
afterAll(async () => {
  desk?.stop();
  house?.close();
  await api?.close();
});

async function start(name: string): Promise<string> {
  sent = [];
  const variables = ['OPENAI_API_KEY=sk-fake', `HOME=${house.env['HOME'] ?? ''}`];
  const options = ['-a', 'on-request', '-s', 'read-only', `make ${name}`];
  const argv = ['env', '-C', work, ...variables, installEngine('codex'), ...options];
  const params = { name, argv, directory: work };
  const call = { tool: 'tmux_create_session', params };
  const begin = startingWith(desk.hookingFor({ drive: DRIVE, rules: [] }));
  const made = await executeTerminalCall(call, house.limits, house.terminals, null, begin);
  if (!made.ok) throw new Error(made.message);
  const target = terminalSession.parse(made.value).panes[0]?.target ?? '';
  // It counts the checkout's two alone: ours it trusts.
  await house.shows(target, /2 hooks are new or changed/);
  house.type(target, 'Escape');
  return target;
}
const asked = (target: string) => {
  let screen = '';
  return until(
    'the question',
    async () => {
      screen = await house.screen(target);
      return sent[0];
    },
    { withinMs: 25_000, tell: () => screen },
  );
};
const ended = () => until('its end', () => sent.find(({ end }) => end !== null)?.end);

it('asks, and goes on with a yes, though no other hook that is not reviewed was run', async () => {
  const target = await start('allowed');
  const { id, permission } = await asked(target);
  expect(permission).toMatchObject({ engine: 'codex', directory: work });
  expect(permission.input).toContain('touch allowed');
  expect(desk.answer(id, { allow: true, reason: '' })).toBe('allow');
  expect(await ended()).toBe('allowed');
  await house.shows(target, /Over with allowed\./);
  expect(existsSync(file('allowed'))).toBe(true);
  expect(existsSync(file('theirs'))).toBe(false);
});

it('is told a no with its reason', async () => {
  const target = await start('denied');
  const { id } = await asked(target);
  desk.answer(id, { allow: false, reason: 'A person said no.' });
  expect(await ended()).toBe('denied');
  await until('its next request', () => JSON.stringify(api.seen).includes('A person said no.'));
  expect(existsSync(file('denied'))).toBe(false);
});

it('shows its own dialog once nobody answered', async () => {
  const target = await start('expired');
  const { expiresAt } = await asked(target);
  expect(await house.screen(target)).not.toMatch(/Yes, proceed/);
  now = expiresAt;
  expect(await ended()).toBe('expired');
  await house.shows(target, /Yes, proceed/);
  expect(existsSync(file('expired'))).toBe(false);
});
