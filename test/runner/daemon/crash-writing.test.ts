import { DatabaseSync } from 'node:sqlite';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../protocol/ids.ts';
import { isRunning, readProcess } from '../../../runner/process/process-table.ts';
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
const ALLOW = { decision: 'allow', message: null, answers: null, suggestion: null } as const;

aMachineForEachTest();

/** The runner's database while no runner has it. */
function withDatabase(work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(machine.data, 'runner', 'runner.db'));
  work(db);
  db.close();
}

/** Launches into a call that waits for a person, and kills the runner there. */
async function askAndCrash(command: string) {
  machine.play({
    turns: [[{ do: 'bash', command, ask: true }, { do: 'text', text: 'asked' }, usage]],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'ask', { directory: machine.work, approvals: 'ask' }));
  const { request } = await relay.event(session, 'approval/requested');
  await runner.crash();
  return { session, request };
}

const answerTo = (session: SessionId, requestId: never) =>
  aCommand('session/answer', session, { requestId, answer: ALLOW });

const pidOf = (session: SessionId): number =>
  relay.ofType(session, 'launch/staged').find(({ process }) => process)?.process?.pid ?? 0;

describe('an approval that waits when the runner is killed', () => {
  test('is open in the next one under its id, and is answered once', async () => {
    const { session, request } = await askAndCrash('echo "allowed once" >> allowed');
    machine.startRunner(relay);
    const first = answerTo(session, request.requestId as never);
    relay.command(first);
    const second = answerTo(session, request.requestId as never);
    relay.command(second);

    await relay.event(session, 'turn/ended', ({ outcome }) => outcome === 'ok');
    expect(await relay.result(first.id)).toMatchObject({ ok: true });
    expect(relay.ofType(session, 'approval/requested')).toHaveLength(1);
    expect(relay.ofType(session, 'approval/resolved')).toMatchObject([
      { requestId: request.requestId, resolution: 'allowed' },
    ]);
    expect(readFileSync(join(machine.work, 'allowed'), 'utf8')).toBe('allowed once\n');
    expect(relay.ofType(session, 'engine/exited')).toEqual([]);
    const late = answerTo(session, request.requestId as never);
    relay.command(late);
    expect(await relay.result(late.id)).toMatchObject({ ok: false, code: 'approval_expired' });
  });

  test('is allowed with the engine’s own words, of which secrets were taken before they were kept', async () => {
    machine.env['CANARY_API_KEY'] = 'canary-8d1f6a2b4c';
    const { session, request } = await askAndCrash('printf %s canary-8d1f6a2b4c > told');
    expect(request.input.text).toContain('[redacted:CANARY_API_KEY]');
    machine.startRunner(relay);
    relay.command(answerTo(session, request.requestId as never));
    await relay.event(session, 'turn/ended');
    expect(readFileSync(join(machine.work, 'told'), 'utf8')).toBe('canary-8d1f6a2b4c');
  });

  test('answered in the moment of a kill is not answered again: the process is ended and the conversation resumed', async () => {
    const { session } = await askAndCrash('touch never');
    const engine = { pid: pidOf(session), startedAt: readProcess(pidOf(session))?.startedAt ?? '' };
    // As the runner leaves it that dies between recording an answer and having written it.
    withDatabase((db) => db.exec('UPDATE sessions SET unwritten_bytes = 120'));
    machine.startRunner(relay);

    await relay.event(session, 'engine/parked', ({ reason }) => reason === 'runner_restarted');
    expect(isRunning(engine)).toBe(false);
    expect(relay.ofType(session, 'notice/raised')).toMatchObject([{ code: 'engine_unreachable' }]);
    expect(relay.ofType(session, 'approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    expect(existsSync(join(machine.work, 'never'))).toBe(false);
    machine.play({ turns: [[{ do: 'text', text: 'again' }, usage]] });
    const turn = aTurnId();
    relay.command(anInstruction(session, 'go on', turn));
    await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turn);
    const ids = relay.ofType(session, 'engine/ready').map((event) => event.engineSessionId);
    expect(new Set(ids).size).toBe(1);
  });
});

test('an instruction that an engine has only a part of is recorded as such, and not written again', async () => {
  machine.play({ turns: [[usage]], startUp: { hang: true } });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const turn = aTurnId();
  // More than a pipe holds, to an engine that reads nothing.
  const text = 'x'.repeat(150_000);
  relay.command(aStart(session, text, { directory: machine.work }, turn));
  await relay.event(session, 'launch/staged', ({ stage }) => stage === 'bootstrap_submitted');
  const engine = pidOf(session);
  await runner.crash();
  withDatabase((db) => {
    const row = db.prepare('SELECT unwritten_bytes AS bytes FROM sessions').get();
    expect(row?.['bytes']).toBeGreaterThan(text.length);
  });
  machine.startRunner(relay);
  await relay.event(session, 'launch/failed');
  expect(readProcess(engine)?.zombie ?? true).toBe(true);
  expect(
    relay.ofType(session, 'turn/delivered').findLast(({ turnId }) => turnId === turn)?.delivery,
  ).toBe('unknown');
});

test('what an engine has whole is recorded as such', async () => {
  const { session } = await askAndCrash('touch never');
  withDatabase((db) => {
    const row = db.prepare('SELECT unwritten_bytes AS bytes FROM sessions').get();
    expect(row).toEqual({ bytes: 0 });
  });
  machine.startRunner(relay);
  relay.command(aCommand('session/stop', session, {}));
  await relay.event(session, 'session/ended');
});

test('a process of an earlier version, whose input closed with its runner, is ended at once', async () => {
  const { session } = await askAndCrash('touch never');
  withDatabase((db) =>
    db.exec(`UPDATE sessions SET process = json_remove(process, '$.fifo'),
       core = json_set(core, '$.phase', json('{"kind":"orphaned","deadlineAt":9999999999999}'))`),
  );
  machine.startRunner(relay);
  await relay.event(session, 'engine/parked', ({ reason }) => reason === 'runner_restarted');
  expect(relay.ofType(session, 'turn/ended')).toHaveLength(1);
});

test('how an engine ended that nobody watched is known, with all that it said', async () => {
  machine.play({
    turns: [
      [
        { do: 'wait', ms: 600 },
        { do: 'text', text: 'last' },
        { do: 'crash', exitCode: 7 },
      ],
    ],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  await relay.event(session, 'turn/started');
  const pid = pidOf(session);
  await runner.crash();
  await until('the engine to end', () => readProcess(pid)?.zombie ?? true);
  machine.startRunner(relay);

  await relay.event(session, 'engine/exited');
  expect(relay.ofType(session, 'engine/exited')).toMatchObject([
    { exitCode: 7, signal: null, expected: false },
  ]);
  expect(relay.ofType(session, 'text/completed').map(({ text }) => text.text)).toEqual(['last']);
});

describe('a runner that is killed while it launches', () => {
  test('between starting an engine and recording it, is followed by one that ends it and starts another', async () => {
    machine.play({ turns: [[usage]], startUp: { hang: true } });
    const runner = machine.startRunner(relay);
    const session = aSessionId();
    const turn = aTurnId();
    relay.command(aStart(session, 'go', { directory: machine.work }, turn));
    await relay.event(session, 'launch/staged', ({ stage }) => stage === 'bootstrap_submitted');
    await runner.crash();
    const queue = JSON.stringify([{ turnId: turn, text: 'go' }]);
    withDatabase((db) =>
      db.exec(`UPDATE sessions SET process = NULL, engine_state = NULL, unwritten_bytes = 0,
         core = json_set(core, '$.phase', json('{"kind":"spawning"}'), '$.held', NULL,
           '$.queue', json('${queue}'))`),
    );
    machine.play({ turns: [[{ do: 'text', text: 'here' }, usage]] });
    const unrecorded = pidOf(session);
    machine.startRunner(relay);
    await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turn);
    expect(readProcess(unrecorded)?.zombie ?? true).toBe(true);
  });

  test.each([0, 60, 250])(
    'after %i ms leaves a launch that is carried on, by one engine (L5)',
    async (afterMs) => {
      machine.play({ turns: [[{ do: 'bash', command: 'echo x >> runs' }, usage]] });
      const runner = machine.startRunner(relay);
      const session = aSessionId();
      const turn = aTurnId();
      const start = aStart(session, 'go', { directory: machine.work }, turn);
      await until('the runner', () => relay.hellos.length === 1);
      relay.command(start);
      await delay(afterMs);
      await runner.crash();
      machine.startRunner(relay);
      await until(
        'the launch to be carried on or reported',
        () =>
          relay.ofType(session, 'turn/ended').length > 0 ||
          relay.ofType(session, 'launch/failed').length > 0,
        { withinMs: 20_000 },
      );
      const runs = existsSync(join(machine.work, 'runs'))
        ? readFileSync(join(machine.work, 'runs'), 'utf8')
        : '';
      expect(runs.split('\n').length - 1).toBeLessThanOrEqual(1);
      if (relay.ofType(session, 'launch/failed').length === 0) expect(runs).toBe('x\n');
      expect(relay.faults).toEqual([]);
    },
  );
});
