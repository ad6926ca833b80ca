import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GATE_ANSWER_MS } from '../../../protocol/gate.ts';
import { instanceId } from '../../../protocol/ids.ts';
import type { PaneQuestion } from '../../../protocol/pane-question.ts';
import { Store } from '../../../runner/link/store.ts';
import type { Log } from '../../../runner/log.ts';
import { QuestionDesk } from '../../../runner/questions/question-desk.ts';
import { QuestionStore } from '../../../runner/questions/question-store.ts';
import { until } from '../../support/until.ts';

/** The hook's real program, started as an agent would start it, and the desk that it asks. */
let directory: string;
let store: Store;
let desk: QuestionDesk;
let now: number;
let sent: PaneQuestion[];
let agents: ChildProcess[];
const KEY = randomBytes(32);
const DRIVE = { instanceId: instanceId.parse('ins_1'), callId: 'start' };
const STARTER = { drive: DRIVE, rules: [] };
const log: Log = (_level, message, facts) => {
  throw new Error(`${message} ${JSON.stringify(facts)}`);
};
const open = () =>
  new QuestionDesk({
    store: new QuestionStore(store, log),
    socketPath: join(directory, 'ask.sock'),
    agentsRoot: join(directory, 'agents'),
    key: KEY,
    secrets: () => [],
    locate: async () => null,
    hooked: () => ['claude', 'codex'],
    send: (question) => void sent.push(question),
    log,
    now: () => now,
  });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-desk-'));
  store = new Store(join(directory, 'runner.db'));
  now = 1_000_000;
  sent = [];
  agents = [];
  desk = open();
  desk.start();
});
afterEach(() => {
  desk.stop();
  for (const agent of agents) agent.kill('SIGKILL');
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A process that asks as an agent does; what its hook told it is its output. */
function ask(token = desk.hookingFor(STARTER).token) {
  const { hook } = desk.hookingFor(STARTER);
  const env = { ...process.env, PILOTHOUSE_ASK: token };
  // The shell stays: it is the agent of which the hook is a child.
  const agent = spawn('/bin/sh', ['-c', '"$@"; :', 'sh', ...hook, '60000', 'claude'], { env });
  agents.push(agent);
  agent.stdin.end(
    JSON.stringify({
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'git push origin main' },
      cwd: '/code',
    }),
  );
  return { agent, told: text(agent.stdout) };
}
const opened = () => until('the question', () => sent[0]);
const ended = () => until('its end', () => sent.find(({ end }) => end !== null)?.end);
const decisionOf = (told: string) =>
  (JSON.parse(told) as { hookSpecificOutput: { decision: unknown } }).hookSpecificOutput.decision;

it('brings what the agent asks, and the answer back to it', async () => {
  const { told, agent } = ask();
  const question = await opened();
  expect(question).toMatchObject({
    drive: DRIVE,
    target: null,
    expiresAt: now + GATE_ANSWER_MS,
    permission: { asks: 'Bash', input: '{"command":"git push origin main"}', directory: '/code' },
    acts: [{ kind: 'push' }],
    touches: { commands: ['git push origin main'], paths: [] },
    end: null,
  });
  expect(desk.isAsking(agent.pid ?? 0)).toBe(true);
  expect(desk.answer(question.id, { allow: true, reason: '' })).toBe('allow');
  expect(desk.answer(question.id, { allow: false, reason: 'no' })).toBe('allow');
  expect(decisionOf(await told)).toEqual({ behavior: 'allow' });
  expect(await ended()).toBe('allowed');
  expect(desk.isAsking(agent.pid ?? 0)).toBe(false);
  desk.kept({ id: question.id, state: 'ended', reason: null });
  sent.length = 0;
  desk.sendAll();
  expect(sent).toEqual([]);
});

it('sends an agent to its own dialog where too many of its questions are open', async () => {
  await until('it to listen', () => desk.hookingFor(STARTER).engines.length > 0);
  const first = ask();
  const { id } = await opened();
  const questions = new QuestionStore(store, log);
  const kept = questions.find(id);
  if (!kept) throw new Error('it is not kept');
  for (let more = 1; more < 8; more++)
    questions.save({
      ...kept,
      question: { ...kept.question, id: `ask.${String(more).repeat(32)}` },
    });
  expect(await ask().told).toBe('');
  expect(new Set(sent.map((question) => question.id))).toEqual(new Set([id]));
  desk.answer(id, { allow: true, reason: '' });
  expect(decisionOf(await first.told)).toEqual({ behavior: 'allow' });
});

it('takes a no of the cloud, with its reason', async () => {
  const { told } = ask();
  desk.kept({ id: (await opened()).id, state: 'deny', reason: 'merge policy' });
  expect(decisionOf(await told)).toEqual({ behavior: 'deny', message: 'merge policy' });
  expect(await ended()).toBe('denied');
});

it('leaves it to the agent’s own dialog when nobody answers in time', async () => {
  const { told } = ask();
  const { id } = await opened();
  now += GATE_ANSWER_MS;
  expect(await ended()).toBe('expired');
  expect(await told).toBe('');
  expect(desk.answer(id, { allow: true, reason: '' })).toBe('over');
});

it('goes on with the next desk, and gives the answer that came in between', async () => {
  const { told } = ask();
  const { id } = await opened();
  desk.stop();
  expect(desk.answer(id, { allow: true, reason: '' })).toBe('allow');
  desk = open();
  desk.start();
  expect(decisionOf(await told)).toEqual({ behavior: 'allow' });
  expect(await ended()).toBe('allowed');
});

it('gives no agent a hook that nobody would hear', async () => {
  await until('it to listen', () => desk.hookingFor(STARTER).engines.length > 0);
  desk.stop();
  expect(desk.hookingFor(STARTER).engines).toEqual([]);
});

it('ends with the agent', async () => {
  const { agent } = ask();
  await opened();
  agent.kill('SIGKILL');
  expect(await ended()).toBe('gone');
});

it('is none for a token that this runner did not make', async () => {
  const [said] = desk.hookingFor(STARTER).token.split('.');
  expect(await ask(`${said}.${'A'.repeat(43)}`).told).toBe('');
  expect(sent).toEqual([]);
});

it('is left alone where the cloud knows of no such call', async () => {
  const { told } = ask();
  desk.kept({ id: (await opened()).id, state: 'refused', reason: null });
  expect(await told).toBe('');
});
