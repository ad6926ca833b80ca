import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { portsThatCharge, portsThatCost, portsWithoutUsage } from '../../support/launch-ports.ts';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

test('an instruction that arrives while the engine is still starting runs once (D1)', async () => {
  machine.play({ startUp: { delayMs: 300 }, turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, second] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'first', { directory: machine.work }, first));
  relay.command(anInstruction(session, 'second', second));

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);
  expect(relay.ofType(session, 'turn/started').map(({ turnId }) => turnId)).toEqual([
    first,
    second,
  ]);
});

test('instructions given in mid-turn wait their turn, one at a time', async () => {
  machine.play({ turns: [[{ do: 'wait', ms: 200 }, { do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const turns = [aTurnId(), aTurnId(), aTurnId()] as const;
  relay.command(aStart(session, 'one', { directory: machine.work }, turns[0]));
  await relay.event(session, 'turn/started');
  relay.command(anInstruction(session, 'two', turns[1]));
  relay.command(anInstruction(session, 'three', turns[2]));

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turns[2]);
  const life = relay
    .events(session)
    .filter(({ type }) => type === 'turn/started' || type === 'turn/ended');
  expect(life.map((event) => 'turnId' in event && event.turnId)).toEqual(
    turns.flatMap((turn) => [turn, turn]),
  );
});

test('a conversation that is made short goes on as a new one, told what was done', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, second] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'one', { directory: machine.work }, first));
  await relay.event(session, 'turn/ended');
  const told = { turnId: first, asked: 'one', answer: 'done', acts: [], outcome: 'ok' as const };
  // Between turns alone: the commits of the first may still be on their way.
  for (;;) {
    const compact = aCommand('session/compact', session, { story: [told] });
    relay.command(compact);
    const result = await relay.result(compact.id);
    if (result.ok) break;
    expect(result.code).toBe('session_busy');
  }
  relay.command(anInstruction(session, 'two', second));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);
  expect(relay.ofType(session, 'turn/briefed')).toMatchObject([{ turnId: second, turns: 1 }]);
  const ready = relay.ofType(session, 'engine/ready').map(({ engineSessionId }) => engineSessionId);
  expect(ready.at(-1)).not.toBe(ready[0]);
});

test('the same instruction sent under two commands is one turn', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'one', { directory: machine.work }));
  const again = [anInstruction(session, 'two', turn), anInstruction(session, 'two', turn)] as const;
  for (const command of again) relay.command(command);

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turn);
  expect(await relay.result(again[1].id)).toMatchObject({ ok: true });
  expect(
    relay.ofType(session, 'turn/started').filter(({ turnId }) => turnId === turn),
  ).toHaveLength(1);
});

test('an approval waits for its answer, and the answer reaches the engine', async () => {
  machine.play({
    turns: [
      [
        { do: 'bash', command: 'echo granted > proof.txt', ask: true },
        { do: 'text', text: 'thanks', when: 'allowed' },
        usage,
      ],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'ask me', { directory: machine.work, approvals: 'ask' }));
  const { request } = await relay.event(session, 'approval/requested');
  expect(existsSync(join(machine.work, 'proof.txt'))).toBe(false);
  const answer = { decision: 'allow', message: null, answers: null, suggestion: null } as const;
  relay.command(aCommand('session/answer', session, { requestId: request.requestId, answer }));

  await relay.event(session, 'turn/ended');
  expect(readFileSync(join(machine.work, 'proof.txt'), 'utf8')).toBe('granted\n');
  expect(relay.ofType(session, 'approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
});

test('an answer after the turn is told that the approval expired, and one to nothing that there is none', async () => {
  machine.play({
    turns: [[{ do: 'bash', command: 'echo granted > proof.txt', ask: true }, usage]],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'ask me', { directory: machine.work, approvals: 'ask' }));
  const { request } = await relay.event(session, 'approval/requested');
  relay.command(aCommand('session/interrupt', session, {}));
  await relay.event(session, 'turn/ended');

  const answer = { decision: 'allow', message: null, answers: null, suggestion: null } as const;
  const late = aCommand('session/answer', session, { requestId: request.requestId, answer });
  const never = aCommand('session/answer', session, {
    requestId: 'apr_0' as typeof request.requestId,
    answer,
  });
  relay.command(late);
  relay.command(never);
  expect(await relay.result(late.id)).toMatchObject({ ok: false, code: 'approval_expired' });
  expect(await relay.result(never.id)).toMatchObject({ ok: false, code: 'request_not_found' });
  expect(existsSync(join(machine.work, 'proof.txt'))).toBe(false);
});

test('an interrupt ends the turn and leaves the session ready for the next', async () => {
  machine.play({
    turns: [
      [{ do: 'bash', command: 'sleep 600' }, usage],
      [{ do: 'text', text: 'second' }, usage],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'tool/started');
  relay.command(aCommand('session/interrupt', session, {}));
  await relay.event(session, 'turn/ended', ({ outcome }) => outcome === 'interrupted');

  relay.command(anInstruction(session, 'again'));
  await relay.event(session, 'turn/ended', ({ outcome }) => outcome === 'ok');
  expect(relay.ofType(session, 'engine/exited')).toEqual([]);
});

test('an interrupt with nothing running is refused', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'short', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  const interrupt = aCommand('session/interrupt', session, {});
  relay.command(interrupt);
  expect(await relay.result(interrupt.id)).toMatchObject({ ok: false, code: 'nothing_running' });
});

test('an idle session is parked, and the next instruction resumes the same conversation', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay, { timings: { idleMs: 50 } });
  const session = aSessionId();
  const second = aTurnId();
  relay.command(aStart(session, 'one', { directory: machine.work }));
  await relay.event(session, 'engine/parked', ({ reason }) => reason === 'idle');
  relay.command(anInstruction(session, 'two', second));

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);
  const conversations = new Set(
    relay.ofType(session, 'engine/ready').map(({ engineSessionId }) => engineSessionId),
  );
  expect(conversations.size).toBe(1);
  const launches = new Set(relay.ofType(session, 'engine/ready').map(({ launchId }) => launchId));
  expect(launches.size).toBe(2);
});

test('the raw spool is gone once its process has ended and its events are acked', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay, { timings: { idleMs: 20 } });
  const session = aSessionId();
  relay.command(aStart(session, 'one', { directory: machine.work }));
  await relay.event(session, 'engine/parked');
  const spools = join(machine.data, 'runner', 'spools');
  await until('the spools to go', () => readdirSync(spools).length === 0);
  expect(relay.ofType(session, 'turn/ended')).toHaveLength(1);
});

test('a session reaches its budget, is halted, and takes no further instruction', async () => {
  machine.play({
    turns: [
      [
        { do: 'text', text: 'dear' },
        { do: 'usage', outputTokens: 5, costUsd: 2 },
      ],
    ],
  });
  const paid = portsThatCost(machine);
  machine.startDaemon(relay, { ports: paid });
  const session = aSessionId();
  relay.command(aStart(session, 'spend', { directory: machine.work, budgetMicroUsd: 1_000_000 }));
  const halted = await relay.event(session, 'session/halted');
  expect(halted).toMatchObject({ reason: 'budget' });
  expect(halted.message).toContain('$2.00 of its limit of $1.00');

  const further = anInstruction(session, 'more');
  relay.command(further);
  expect(await relay.result(further.id)).toMatchObject({ ok: false, code: 'session_halted' });
  await relay.event(session, 'engine/exited', ({ expected }) => expected);
});

test('a turn whose messages cross the budget is stopped in it, and told as an estimate', async () => {
  const dear = {
    type: 'assistant',
    message: {
      id: 'msg_dear',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [{ type: 'text', text: 'a long thought' }],
      usage: { input_tokens: 400_000, output_tokens: 50_000 },
    },
    parent_tool_use_id: null,
    uuid: '44444444-4444-4444-8444-444444444444',
  };
  machine.play({ turns: [[{ do: 'raw', line: dear }, { do: 'silence' }]] });
  machine.startDaemon(relay, { ports: portsThatCharge(machine) });
  const session = aSessionId();
  relay.command(aStart(session, 'spend', { directory: machine.work, budgetMicroUsd: 1_000_000 }));
  const halted = await relay.event(session, 'session/halted');
  expect(halted.message).toContain('$1.30 for turns without their own figure');
  const notice = relay
    .ofType(session, 'notice/raised')
    .find(({ code }) => code === 'budget_reached');
  expect(notice).toMatchObject({ code: 'budget_reached' });
  expect(notice?.message).toMatch(/about \$1\.30 of its limit of \$1\.00\. That is an estimate/);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  // The estimate is nobody's figure: the ledger has what the messages showed, once, as unsettled.
  const entries = relay.ofType(session, 'usage/recorded').flatMap((event) => event.entries);
  expect(entries).toMatchObject([{ provenance: 'unsettled', microUsd: 1_300_000 }]);
});

test('a first turn without its cost halts the session', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'free?' }, usage]] });
  machine.startDaemon(relay, { ports: portsWithoutUsage(machine) });
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  expect(await relay.event(session, 'session/halted')).toMatchObject({ reason: 'missing_records' });
});
