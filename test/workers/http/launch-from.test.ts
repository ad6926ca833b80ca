import { beforeEach, describe, expect, it } from 'vitest';
import { ask, codeOf, registerRunner } from '../support/http.ts';
import { PeerRunner } from '../support/peers.ts';
import {
  type Installation,
  launchOn,
  launchSpecOf,
  readSession,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';

describe('a launch that goes on from another session', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });

  const worked = async (over: Record<string, unknown> = {}, words = 'Three.') => {
    const session = await launchOn(home, { objective: 'Count the masts', ...over });
    await home.peer.stored(session.sessionId, 1, [
      ...readyEvents(session.turnId),
      { ...text(words), turnId: session.turnId } as ReturnType<typeof text>,
      turnEnded(session.turnId),
    ]);
    return session;
  };
  const refusal = async (from: string) =>
    codeOf(
      await ask('POST', '/v1/sessions', {
        bearer: home.cli,
        body: {
          runnerId: home.runner.runnerId,
          engineId: 'rehearsal',
          directory: null,
          objective: 'x',
          from,
        },
      }),
    );

  it('hands the record of it to another machine, also when its own is gone', async () => {
    const before = await worked();
    home.peer.socket.close();
    const runner = await registerRunner();
    const away = { ...home, runner, peer: await PeerRunner.online(runner) };
    const after = await launchOn(away, { objective: 'Now the sails', from: before.sessionId });
    const { from } = launchSpecOf(after);
    expect(from).toEqual({
      sessionId: before.sessionId,
      branch: null,
      story: [
        {
          turnId: before.turnId,
          asked: 'Count the masts',
          answer: 'Three.',
          acts: [],
          outcome: 'ok',
        },
      ],
    });
    const { view } = await readSession(home.cli, after.sessionId);
    expect(view.launch.from?.sessionId).toBe(before.sessionId);
  });

  it('carries along what that one was told itself', async () => {
    const first = await worked();
    const second = await worked({ objective: 'Now the sails', from: first.sessionId }, 'Nine.');
    const third = await launchOn(home, { from: second.sessionId });
    expect(launchSpecOf(third).from?.story.map(({ asked }) => asked)).toEqual([
      'Count the masts',
      'Now the sails',
    ]);
  });

  it('is refused where there is nothing to go on with', async () => {
    const queued = await launchOn(home);
    expect(await refusal(queued.sessionId)).toBe('nothing_to_go_on_from');
    expect(await refusal('ses_01kedge0000000000000ab')).toBe('session_not_found');
    expect(await refusal('elsewhere')).toBe('bad_request');
  });

  it('takes no story from the caller', async () => {
    const from = { sessionId: 'ses_01kedge0000000000000ab', branch: null, story: [] };
    const answer = await ask('POST', '/v1/sessions', {
      bearer: home.cli,
      body: {
        runnerId: home.runner.runnerId,
        engineId: 'rehearsal',
        directory: null,
        objective: 'x',
        from,
      },
    });
    expect(codeOf(answer)).toBe('bad_request');
  });
});
