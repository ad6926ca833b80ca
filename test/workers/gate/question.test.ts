import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { Command } from '../../../protocol/command.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { InstanceChange } from '../../../protocol/operator-http.ts';
import { gateDecisionPage, gateRequestList, type GateSaid } from '../../../protocol/gate.ts';
import { paneQuestion, type PaneQuestion } from '../../../protocol/pane-question.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { ask, codeOf, signIn } from '../support/http.ts';
import { type House, PANE, startOperating } from '../support/operators.ts';
import { PeerRunner } from '../support/peers.ts';
import { until } from '../support/socket.ts';

let house: House;
const ID = 'ask.0123456789abcdef0123456789abcdef';
/** What the machine says stands once an answer arrived; null is away. */
let stands: 'allow' | 'deny' | 'over' | null;
let answers: Extract<Command, { method: 'terminal/answer' }>['params'][];

beforeEach(async () => {
  house = await startOperating();
  answers = [];
  stands = 'allow';
  house.peer.socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return;
    const frame = JSON.parse(String(data)) as { type: string; command?: Command };
    if (frame.command?.method !== 'terminal/answer') return;
    answers.push(frame.command.params);
    if (stands) house.peer.result(frame.command.id, { ok: true, value: { stands } });
  });
  await house.change({ change: 'consent', consents: { run: 'always' } });
  await start('start');
});

/** Has a call start the agent. */
function start(callId: string) {
  const call = { tool: 'tmux_run_command', params: { target: PANE, command: 'claude' } };
  const actor = { kind: 'mcp', id: 'key-1' } as const;
  return callTool(env, { instanceId: house.instanceId, call, actor, callId });
}

const aQuestion = (over: Partial<PaneQuestion> = {}): PaneQuestion =>
  paneQuestion.parse({
    id: ID,
    drive: { instanceId: house.instanceId, callId: 'start' },
    target: PANE,
    at: 1_000,
    expiresAt: 61_000,
    permission: {
      engine: 'claude',
      asks: 'Bash',
      input: '{"command":"npm test"}',
      omitted: 0,
      directory: '/code/shop',
    },
    acts: [],
    touches: { commands: ['npm test'], paths: [] },
    end: null,
    ...over,
  });
const PUSH = { kind: 'push', command: 'git push origin x', target: 'origin x', uncertain: false };

/** Tells the question, and answers the last that the cloud says of it. */
async function tell(over: Partial<PaneQuestion> = {}) {
  const before = house.peer.frames.length;
  house.peer.send({ type: 'paneQuestion', question: aQuestion(over) });
  const said = () => house.peer.frames.slice(before).find((frame) => frame.type === 'questionKept');
  await until(() => said() !== undefined, 'what is kept of it');
  const frame = said();
  return frame?.type === 'questionKept' ? frame.kept : null;
}
const requests = async () =>
  gateRequestList.parse((await ask('GET', '/v1/gate/requests', { bearer: house.cli })).body).items;
const answer = (said: GateSaid, credential: object = { bearer: house.cli }) =>
  ask('POST', `/v1/instances/${house.instanceId}/calls/${ID}/answer`, {
    ...credential,
    body: { answer: said },
  });
const decisions = async () => {
  const path = `/v1/instances/${house.instanceId}/decisions`;
  const { body } = await ask('GET', path, { bearer: house.cli });
  return gateDecisionPage
    .parse(body)
    .items.filter(({ callId }) => callId === ID)
    .map(({ explanation, outcome, actor }) => [explanation, outcome, actor.kind]);
};

it('stands among the calls that wait for a person, once, however often it is told', async () => {
  expect(await tell()).toEqual({ id: ID, state: 'waiting', reason: null });
  expect(await tell()).toMatchObject({ state: 'waiting' });
  expect(await requests()).toMatchObject([
    {
      callId: ID,
      tool: 'agent_permission',
      rule: 'agent',
      risk: 'run',
      actor: { kind: 'program', id: 'claude' },
      params: { asks: 'Bash', input: '{"command":"npm test"}' },
      reason: 'claude asks to use Bash',
    },
  ]);
});

it('goes to the machine as a person answers, and the first of two answers stands', async () => {
  await tell();
  const both = [answer('once'), answer('deny', { cookie: await signIn() })];
  const bodies = (await Promise.all(both)).map(({ body }) => body);
  expect(bodies[0]).toEqual(bodies[1]);
  expect(new Set(answers.map(({ allow }) => allow)).size).toBe(1);
  expect(await requests()).toEqual([]);
});

it('is closed by its end, with what was allowed among the acts, as unknown', async () => {
  await tell({ acts: [PUSH] as PaneQuestion['acts'] });
  await answer('once');
  expect(await tell({ acts: [PUSH] as PaneQuestion['acts'], end: 'allowed' })).toMatchObject({
    state: 'ended',
  });
  await tell({ acts: [PUSH] as PaneQuestion['acts'], end: 'allowed' });
  expect(await decisions()).toEqual([
    ['allowed: a person allowed it, and the agent’s hook took the answer', 'done', 'program'],
    ['waits for a person: claude asks to use Bash', null, 'program'],
  ]);
  const acts = await env.DB.prepare(
    'SELECT acts.kind, act_outcomes.outcome FROM acts JOIN act_outcomes USING (act_id)',
  ).all();
  expect(acts.results).toEqual([{ kind: 'push', outcome: 'unknown' }]);
});

it.each([
  ['expired', /closed: nobody answered in time/],
  ['elsewhere', /closed: it was answered in the terminal/],
  ['gone', /closed: the agent ended/],
] as const)('that is %s waits no more, and takes no answer', async (end, explanation) => {
  await tell();
  await tell({ end });
  expect(await requests()).toEqual([]);
  expect((await decisions())[0]?.[0]).toMatch(explanation);
  expect(codeOf(await answer('once'))).toBe('call_not_waiting');
});

it('answered too late says so, though the word is on record', async () => {
  stands = 'over';
  await tell();
  expect(codeOf(await answer('once'))).toBe('question_over');
});

it('keeps an answer for a machine that is away, and gives it as that tells of it again', async () => {
  await tell();
  house.peer.socket.close(1000, 'away');
  await until(async () => (await answer('deny')).status === 200, 'the answer to be kept');
  house = { ...house, peer: await PeerRunner.online(house.runner) };
  expect(await tell()).toEqual({
    id: ID,
    state: 'deny',
    reason: expect.stringContaining('A person said no'),
  });
});

it('is denied at once where the merge policy forbids what it would do', async () => {
  const merge = { ...PUSH, kind: 'merge', command: 'gh pr merge' };
  const kept = await tell({ acts: [merge] as PaneQuestion['acts'] });
  expect(kept).toMatchObject({ state: 'deny', reason: expect.stringContaining('merge policy') });
  expect(await requests()).toEqual([]);
  expect((await decisions())[0]?.[0]).toMatch(/^denied: merge policy/);
});

it('is denied at once where it touches what the rules of tools deny', async () => {
  const kept = await tell({ touches: { commands: [], paths: ['/code/shop/.env'] } });
  expect(kept).toMatchObject({
    state: 'deny',
    reason: expect.stringMatching(/^Denied: merge policy: \*\*\/\.env\. Go on without it/),
  });
  expect(await requests()).toEqual([]);
  expect(await tell({ end: 'denied' })).toMatchObject({ state: 'ended' });
  expect(await decisions()).toEqual([['denied: merge policy: **/.env', null, 'program']]);
});

/** The policy lets `npm` run unasked. */
async function allowNpm(): Promise<void> {
  const tools = [...DEFAULT_POLICY.tools, { effect: 'allow', on: 'command', pattern: 'npm *' }];
  const body = { scope: { kind: 'account' }, part: { tools }, widens: 'for tests', basedOn: 0 };
  expect((await ask('POST', '/v1/policy', { bearer: house.cli, body })).status).toBe(201);
}

it('is of an agent that was begun with what the rules deny, and with nothing that they allow', async () => {
  await allowNpm();
  await start('again');
  const last = house.machine.asked.findLast(({ method }) => method === 'terminal/call');
  expect(last?.params).toMatchObject({ rules: DEFAULT_POLICY.tools });
});

it('is allowed by a rule of tools while the instance may run anything unasked, on record', async () => {
  await allowNpm();
  expect(await tell()).toEqual({ id: ID, state: 'allow', reason: null });
  expect(await tell()).toMatchObject({ state: 'allow' });
  expect(await requests()).toEqual([]);
  await tell({ end: 'allowed' });
  await tell({ end: 'allowed' });
  const by = 'allowed: merge policy allows it (npm *), and so does the consent to run';
  expect(await decisions()).toEqual([
    [`${by}; the agent’s hook took it`, 'done', 'program'],
    [by, 'done', 'program'],
  ]);
});

it('is closed where a rule allowed it and the terminal was quicker', async () => {
  await allowNpm();
  await tell();
  await tell({ end: 'elsewhere' });
  expect((await decisions())[0]?.[0]).toBe('closed: it was answered in the terminal');
});

it.each([
  ['the consent to run was taken back', { change: 'consent', consents: { run: 'ask' } }],
  ['the instance is paused', { change: 'pause' }],
  ['its tool was taken away', { change: 'narrow', narrowing: { tools: ['tmux_capture_pane'] } }],
] as const)('is asked about though a rule allows it, where %s', async (_why, change) => {
  await allowNpm();
  await house.change(change as InstanceChange);
  expect(await tell()).toMatchObject({ state: 'waiting' });
  expect(await requests()).toHaveLength(1);
});

it('is refused where no call of this machine started the agent', async () => {
  const drive = { ...aQuestion().drive, callId: 'never' };
  expect(await tell({ drive })).toEqual({ id: ID, state: 'refused', reason: null });
  expect(await requests()).toEqual([]);
});

it('cannot be allowed for good: each is asked about', async () => {
  await tell();
  expect(codeOf(await answer('instance'))).toBe('bad_request');
  expect(await requests()).toHaveLength(1);
});
