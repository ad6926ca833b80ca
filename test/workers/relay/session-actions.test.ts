import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { ask, codeOf } from '../support/http.ts';
import {
  LAUNCH,
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  relayStub,
  startOnline,
  turnEnded,
  untilRows,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const FAILED: EngineEvent = {
  type: 'launch/failed',
  launchId: LAUNCH,
  state: 'provider_failed',
  stage: 'queued',
  error: { code: 'auth_missing', message: 'not logged in' },
  elapsedMs: 3,
  stderrTail: [],
};

describe('interrupt, stop and retry', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const act = (action: string) =>
    ask('POST', `/v1/sessions/${session.sessionId}/${action}`, { bearer: session.cli });
  const state = async () => (await readSession(session.cli, session.sessionId)).view.state;
  const refuseStart = (code: string) =>
    session.peer.result(session.start.id, { ok: false, code, message: 'no' });
  const goOffline = async () => {
    session.peer.socket.close();
    await until(
      async () => (await relayStub(session.runner).readStatus()).presence === 'offline',
      'offline',
    );
  };

  it('interrupts a turn that runs', async () => {
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    expect((await act('interrupt')).status).toBe(202);
    expect((await session.peer.next('command')).command).toMatchObject({
      method: 'session/interrupt',
      epoch: 1,
    });
  });

  it('refuses to interrupt when no turn runs', async () => {
    expect(codeOf(await act('interrupt'))).toBe('nothing_running');
  });

  it('refuses to interrupt a machine that is away: it would hit another turn later (D8)', async () => {
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    await goOffline();
    expect(codeOf(await act('interrupt'))).toBe('runner_offline');
  });

  it('begins a conversation anew between turns, with the story of its own record', async () => {
    expect(codeOf(await act('compact'))).toBe('nothing_to_go_on_from');
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    expect(codeOf(await act('compact'))).toBe('session_busy');
    await session.peer.stored(session.sessionId, 6, [turnEnded(session.turnId)]);
    expect((await act('compact')).status).toBe(202);
    const { command } = await session.peer.next('command');
    expect(command).toMatchObject({
      method: 'session/compact',
      epoch: 1,
      params: { story: [{ turnId: session.turnId, outcome: 'ok' }] },
    });
    const { compactedAt, state: now } = (await readSession(session.cli, session.sessionId)).view;
    expect([compactedAt, now]).toEqual([expect.any(Number), 'idle']);
    // It did not come to it: the conversation is as long as before, and its alarm is back.
    session.peer.result(command.id, { ok: false, code: 'session_busy', message: 'at work' });
    await until(
      async () => (await readSession(session.cli, session.sessionId)).view.compactedAt === null,
      'the refusal on record',
    );
    await goOffline();
    expect(codeOf(await act('compact'))).toBe('runner_offline');
  });

  it('restarts an engine once however often it is asked, and tells a machine that was away', async () => {
    expect(codeOf(await act('restart'))).toBe('nothing_to_restart');
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    await goOffline();
    expect((await act('restart')).status).toBe(202);
    expect((await act('restart')).status).toBe(202);
    const { view } = await readSession(session.cli, session.sessionId);
    expect([view.restartAskedAt, view.state]).toEqual([expect.any(Number), 'working']);
    const { last } = (
      await ask('GET', `/v1/sessions/${session.sessionId}/entries`, { bearer: session.cli })
    ).body as { last: number };
    // Created, accepted, the launch's own entries, and one request.
    expect(last).toBe(2 + readyEvents(session.turnId).length + 1);
  });

  it('may be asked to restart again once that came, or could not', async () => {
    const restarted = async () => {
      expect((await act('restart')).status).toBe(202);
      const { command } = await session.peer.next('command');
      expect(command).toMatchObject({ method: 'session/restart', epoch: 1, params: {} });
      return command;
    };
    const asked = async () =>
      (await readSession(session.cli, session.sessionId)).view.restartAskedAt ?? null;
    const events = readyEvents(session.turnId);
    await session.peer.stored(session.sessionId, 1, events);
    const { id } = await restarted();
    session.peer.result(id, { ok: false, code: 'nothing_to_restart', message: 'it rests' });
    await until(async () => (await asked()) === null, 'the refusal on record');
    await restarted();
    await session.peer.stored(session.sessionId, events.length + 1, [
      turnEnded(session.turnId),
      { type: 'engine/parked', reason: 'restarted' },
    ]);
    expect(await asked()).toBeNull();
    expect(codeOf(await act('restart'))).toBe('nothing_to_restart');
  });

  it('queues a stop for a machine that is away', async () => {
    await goOffline();
    expect((await act('stop')).status).toBe(202);
  });

  it('refuses to stop what has ended', async () => {
    await session.peer.stored(session.sessionId, 1, [
      { type: 'session/ended', end: 'stopped', reason: 'asked' },
    ]);
    expect(codeOf(await act('stop'))).toBe('session_ended');
  });

  it('shows a launch that the runner refused as failed', async () => {
    refuseStart('engine_not_allowed');
    await until(async () => (await state()) === 'failed_to_start', 'failed_to_start');
    expect((await readSession(session.cli, session.sessionId)).view.reason).toBe('no');
  });

  it('lets the runner’s own launch failure say more than the refused command', async () => {
    refuseStart('engine_not_allowed');
    await until(async () => (await state()) === 'failed_to_start', 'failed_to_start');
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    const { view } = await readSession(session.cli, session.sessionId);
    expect([view.state, view.failure?.error.code]).toEqual(['provider_failed', 'auth_missing']);
  });

  it('is dismissed on the record by whoever says so, once, and brought back', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    await Promise.all([act('dismiss'), act('dismiss')]);
    const { view, summary } = await readSession(session.cli, session.sessionId);
    expect(view.dismissed).toEqual({ actorId: LOCAL_ACTOR, at: expect.any(Number) });
    expect(summary.dismissedAt).toBe(view.dismissed?.at);
    await untilRows("SELECT 1 FROM sessions WHERE dismissed_by = 'usr_local'", 1);
    expect((await act('restore')).status).toBe(202);
    await untilRows('SELECT 1 FROM sessions WHERE dismissed_at IS NULL', 1);
    const { last } = (
      await ask('GET', `/v1/sessions/${session.sessionId}/entries`, {
        bearer: session.cli,
      })
    ).body as { last: number };
    // Created, accepted, failed, dismissed, restored: the second dismissal left nothing.
    expect(last).toBe(5);
  });

  it('stops being dismissed when it is launched again', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    await act('dismiss');
    await act('retry');
    const { view } = await readSession(session.cli, session.sessionId);
    expect(view.dismissed).toBeNull();
    expect(codeOf(await act('dismiss'))).toBe('nothing_to_dismiss');
  });

  it('retries under a new epoch and launch, beginning with what was never delivered', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    expect((await act('retry')).status).toBe(202);
    const { command } = await session.peer.next('command');
    expect(command).toMatchObject({
      method: 'session/start',
      epoch: 2,
      params: { engineSessionId: null, firstTurn: { turnId: session.turnId, text: 'Fix it' } },
    });
    expect(command.params).not.toMatchObject({
      launchId: (session.start.params as { launchId: string }).launchId,
    });
    expect(await state()).toBe('queued');
  });

  it('retries an ended session as the same conversation, without saying anything again', async () => {
    const ended: EngineEvent = { type: 'session/ended', end: 'stopped', reason: 'asked' };
    await session.peer.stored(session.sessionId, 1, [
      ...readyEvents(session.turnId),
      turnEnded(session.turnId),
      ended,
    ]);
    await act('retry');
    expect((await session.peer.next('command')).command.params).toMatchObject({
      engineSessionId: 'conversation-1',
      firstTurn: null,
      // For a machine that has lost the conversation.
      story: [{ turnId: session.turnId, asked: 'Fix it', outcome: 'ok' }],
    });
  });

  const savePolicy = (mode: string, basedOn: number) =>
    ask('POST', '/v1/policy', {
      bearer: session.cli,
      body: { scope: { kind: 'account' }, part: { mode }, widens: 'tried', basedOn },
    });
  const retryAfterFailure = async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    expect((await act('retry')).status).toBe(202);
    return (await session.peer.next('command')).command.params as {
      launch: { policy: { policy: { mode: string }; sources: { version: number }[] } };
    };
  };

  it('retries with the policy that became stricter meanwhile, and has it on record', async () => {
    await savePolicy('none', 0);
    const { launch } = await retryAfterFailure();
    expect(launch.policy).toMatchObject({ policy: { mode: 'none' }, sources: [{ version: 1 }] });
    const { view } = await readSession(session.cli, session.sessionId);
    expect(view.launch.policy?.policy.mode).toBe('none');
  });

  it('retries with no more than the launch had, whatever is allowed by now', async () => {
    await savePolicy('merge', 0);
    expect((await retryAfterFailure()).launch.policy.policy.mode).toBe('pr');
  });

  it('retries nothing under a policy that cannot be read', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    await env.DB.prepare(
      `INSERT INTO merge_policies (account_id, actor_id, scope_key, version, scope, part, saved_by, at)
       VALUES ('acc_local', 'usr_local', 'account', 9, '{"kind":"account"}', '{"mode":"yolo"}', 'cli', 1)`,
    ).run();
    const refused = await act('retry');
    expect([refused.status, codeOf(refused)]).toEqual([503, 'policy_unreadable']);
    expect(await state()).toBe('provider_failed');
  });

  it('ignores the result of a launch that was retried meanwhile', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    await act('retry');
    refuseStart('engine_missing');
    await session.peer.stored(session.sessionId, 2, [
      { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
    ]);
    expect(await state()).toBe('spawned');
  });

  it('refuses to retry what is alive', async () => {
    await session.peer.stored(session.sessionId, 1, readyEvents(session.turnId));
    expect(codeOf(await act('retry'))).toBe('nothing_to_retry');
  });

  it('retries once when asked twice', async () => {
    await session.peer.stored(session.sessionId, 1, [FAILED]);
    const answers = await Promise.all([act('retry'), act('retry')]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([202, 409]);
  });
});
