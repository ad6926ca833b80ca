import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import type { TurnView } from '../../../protocol/session-view.ts';
import { ask, codeOf } from '../support/http.ts';
import { PeerRunner } from '../support/peers.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  relayStub,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

describe('commands', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
    session.peer.result(session.start.id);
    await session.peer.stored(session.sessionId, 1, [
      ...readyEvents(session.turnId),
      turnEnded(session.turnId),
    ]);
  });

  const say = (text: string, turnId?: string) =>
    ask('POST', `/v1/sessions/${session.sessionId}/instructions`, {
      bearer: session.cli,
      body: { text, turnId },
    });
  const disconnect = async () => {
    session.peer.socket.close();
    await until(
      async () => (await relayStub(session.runner).readStatus()).presence === 'offline',
      'offline',
    );
  };
  const turn = async (index: number): Promise<TurnView | undefined> =>
    (await readSession(session.cli, session.sessionId)).view.turns[index];
  const passDeadlines = () =>
    runInDurableObject(relayStub(session.runner), (_, state) => {
      state.storage.sql.exec(
        `UPDATE commands SET deadline_at = 1, command = json_set(command, '$.deadlineAt', 1)`,
      );
    });

  it('reach a runner that was away once it is back, with no console open (D7)', async () => {
    await disconnect();
    expect((await say('go on')).status).toBe(202);
    const peer = await PeerRunner.online(session.runner);
    const { command } = await peer.next('command');
    expect(command).toMatchObject({ method: 'session/instruct', params: { text: 'go on' } });
    peer.result(command.id);
    await peer.stored(session.sessionId, 7, [
      {
        type: 'turn/delivered',
        turnId: (await turn(1))?.turnId ?? session.turnId,
        delivery: 'confirmed',
        reason: null,
      },
    ]);
    expect((await turn(1))?.delivery).toBe('confirmed');
  });

  it('are withdrawn while their machine is away, and reach it no more', async () => {
    await disconnect();
    await say('go on', 'trn_away');
    const relay = relayStub(session.runner);
    expect(await relay.withdraw(turnId.parse('trn_away'))).toBe(true);
    expect(await relay.withdraw(turnId.parse('trn_away'))).toBe(false);
    await until(async () => (await turn(1))?.delivery === 'undelivered', 'undelivered');
    expect((await turn(1))?.deliveryReason).toContain('withdrawn');
    const peer = await PeerRunner.online(session.runner);
    await say('something else', 'trn_back');
    const { command } = await peer.next('command');
    expect(command).toMatchObject({ params: { turnId: 'trn_back' } });
    // Sent once, only the machine knows whether it acts on it.
    expect(await relay.withdraw(turnId.parse('trn_back'))).toBe(false);
  });

  it('are sent again to the next link until they are answered, then never', async () => {
    await say('go on');
    const first = await session.peer.next('command');
    const second = await PeerRunner.online(session.runner);
    const again = await second.next('command');
    expect(again.command.id).toBe(first.command.id);
    second.result(again.command.id);
    await until(async () => {
      const left = await runInDurableObject(relayStub(session.runner), (_, state) =>
        state.storage.sql.exec('SELECT 1 FROM commands').toArray(),
      );
      return left.length === 0;
    }, 'the relay to forget the command');
    const third = await PeerRunner.online(session.runner);
    third.send('ping');
    await until(() => third.pongs === 1, 'a pong');
    expect(third.frames.filter((frame) => frame.type === 'command')).toEqual([]);
  });

  it('show an instruction that the runner refused as undelivered, with the reason (D3)', async () => {
    await say('go on');
    const { command } = await session.peer.next('command');
    session.peer.result(command.id, {
      ok: false,
      code: 'engine_missing',
      message: 'claude is not installed',
    });
    await until(
      async () => (await turn(1))?.delivery === 'undelivered',
      'the turn to be undelivered',
    );
    expect(await turn(1)).toMatchObject({
      state: 'accepted',
      deliveryReason: 'claude is not installed',
    });
  });

  it('that nobody could take in time are shown as undelivered', async () => {
    await disconnect();
    await say('go on');
    await passDeadlines();
    expect(await runDurableObjectAlarm(relayStub(session.runner))).toBe(true);
    expect(await turn(1)).toMatchObject({ delivery: 'undelivered' });
  });

  it('that were sent and never answered are unknown, not expired', async () => {
    await say('go on');
    await session.peer.next('command');
    await passDeadlines();
    await runDurableObjectAlarm(relayStub(session.runner));
    expect(await turn(1)).toMatchObject({ delivery: 'unknown' });
  });

  it('that expired are not sent to a runner that comes back later', async () => {
    await disconnect();
    await say('go on');
    await passDeadlines();
    const peer = await PeerRunner.online(session.runner);
    peer.send('ping');
    await until(() => peer.pongs === 1, 'a pong');
    expect(peer.frames.filter((frame) => frame.type === 'command')).toEqual([]);
  });

  it('that a crash kept from the relay are handed over by the feed’s alarm', async () => {
    await say('go on');
    const { command } = await session.peer.next('command');
    await runInDurableObject(relayStub(session.runner), (_, state) => {
      state.storage.sql.exec('DELETE FROM commands');
    });
    await runInDurableObject(feedStub(session.sessionId), async (_, state) => {
      state.storage.sql.exec('UPDATE outgoing SET taken = 0, next_at = 1');
      await state.storage.setAlarm(Date.now() + 60_000);
    });
    await evictDurableObject(feedStub(session.sessionId));
    await runDurableObjectAlarm(feedStub(session.sessionId));
    expect((await session.peer.next('command')).command.id).toBe(command.id);
  });

  it('keep a result that the feed could not take, and settle it at the next alarm', async () => {
    await say('go on');
    const { command } = await session.peer.next('command');
    await runInDurableObject(relayStub(session.runner), async (_, state) => {
      const failed = JSON.stringify({ ok: false, code: 'expired', message: 'too late' });
      state.storage.sql.exec('UPDATE commands SET result = ? WHERE id = ?', failed, command.id);
      await state.storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(relayStub(session.runner));
    expect(await turn(1)).toMatchObject({ delivery: 'undelivered', deliveryReason: 'too late' });
  });

  it('give the same instruction once when it is sent twice', async () => {
    await say('go on', 'trn_mine');
    expect((await say('go on', 'trn_mine')).status).toBe(202);
    expect(codeOf(await say('something else', 'trn_mine'))).toBe('turn_conflict');
    expect((await readSession(session.cli, session.sessionId)).view.turns).toHaveLength(2);
  });

  it('try an undelivered instruction again when it is sent again', async () => {
    await say('go on', 'trn_mine');
    const first = await session.peer.next('command');
    session.peer.result(first.command.id, { ok: false, code: 'directory_busy', message: 'busy' });
    await until(
      async () => (await turn(1))?.delivery === 'undelivered',
      'the turn to be undelivered',
    );
    await say('go on', 'trn_mine');
    const second = await session.peer.next('command');
    expect(second.command).toMatchObject({
      method: 'session/instruct',
      params: { turnId: 'trn_mine' },
    });
    expect(second.command.id).not.toBe(first.command.id);
  });
});
