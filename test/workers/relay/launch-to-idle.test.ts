import { beforeEach, describe, expect, it } from 'vitest';
import { PeerViewer } from '../support/peers.ts';
import {
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';

describe('a session from its launch to its first turn’s end', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  it('sends the objective to the runner as the first turn of a start command', () => {
    expect(session.start).toMatchObject({
      method: 'session/start',
      epoch: 1,
      params: { engineSessionId: null, firstTurn: { turnId: session.turnId, text: 'Fix it' } },
    });
  });

  it('shows a viewer every event once and in order', async () => {
    const viewer = await PeerViewer.watching(session.sessionId, session.cli);
    const events = [...readyEvents(session.turnId), text('done'), turnEnded(session.turnId)];
    await session.peer.stored(session.sessionId, 1, events);
    await viewer.seen('turn/ended');
    expect(viewer.entries().map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(
      viewer
        .entries()
        .slice(2)
        .map(({ event }) => event),
    ).toEqual(events);
  });

  it('is idle after the turn has ended', async () => {
    await session.peer.stored(session.sessionId, 1, [
      ...readyEvents(session.turnId),
      turnEnded(session.turnId),
    ]);
    const { view } = await readSession(session.cli, session.sessionId);
    expect([view.state, view.openTurnId, view.turns[0]?.outcome]).toEqual(['idle', null, 'ok']);
  });
});
