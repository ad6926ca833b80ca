import { beforeEach, describe, expect, it } from 'vitest';
import { PILOT_ACTOR, type TurnId } from '../../../protocol/ids.ts';
import { pilotDecisionPage } from '../../../protocol/pilot-view.ts';
import { readAgain } from '../../support/pilot-builders.ts';
import { ask } from '../support/http.ts';
import { askPilot, launchPilot, PilotedRunner, readPilot, untilPilot } from '../support/pilots.ts';
import {
  feedStub,
  type Installation,
  readSession,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await startOnline();
});

/** A session of three turns that has grown long by them, before its fourth is decided. */
async function grown(over: Parameters<typeof launchPilot>[1] = {}) {
  const bounds = { stallTurns: 9 };
  const launched = await launchPilot(installation, { beginsAnew: true, bounds, ...over });
  const { sessionId, cli, turnId, peer, start } = launched;
  const runner = new PilotedRunner(launched);
  peer.result(start.id);
  await runner.send([...readyEvents(turnId), readAgain(turnId), turnEnded(turnId)]);
  const turns = [turnId];
  while (turns.length < 3) {
    await runner.nextCheck({ tail: `red ${'x'.repeat(turns.length)}` });
    if (over.mode === 'co_pilot') {
      const { step } = await untilPilot(cli, sessionId, 'waiting_person');
      await askPilot(cli, sessionId, { action: 'confirm', step });
    }
    turns.push((await runner.nextTurn((id) => [readAgain(id)])).turnId);
  }
  await runner.nextCheck({ tail: 'red at length' });
  return { ...launched, runner, turns };
}

describe('a Pilot whose conversation has grown long', () => {
  it('begins it anew from its record, says why with figures, and hands its instruction over after it', async () => {
    const { sessionId, cli, runner, peer, turns } = await grown();
    const compact = await runner.next('session/compact');
    expect(compact.params.story.map(({ turnId }) => turnId)).toEqual(turns);
    peer.result(compact.id);
    const { text, turnId } = await runner.nextTurn();
    expect(text).toContain('red at length');
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');

    const path = `/v1/sessions/${sessionId}/pilot/decisions`;
    const { items } = pilotDecisionPage.parse((await ask('GET', path, { bearer: cli })).body);
    expect(items.map(({ anew }) => anew)).toEqual([false, true, false, false]);
    expect(items[1]?.outcome).toContain('read 300 K tokens of the conversation again');
    expect(items[1]?.outcome).toContain('about $4.00');

    const { view } = await readSession(cli, sessionId);
    expect(view.turns.map((turn) => turn.turnId)).toEqual([...turns, turnId]);
    // A driver that was thought dead asks for it once more, long after it was done.
    const again = { action: 'compact', actorId: PILOT_ACTOR, story: compact.params.story } as const;
    const late = await feedStub(sessionId).request({ ...again, after: turns[2] as TurnId });
    expect(late).toMatchObject({ ok: false, code: 'session_busy' });
    expect((await readSession(cli, sessionId)).view.compactedAt).toBe(view.compactedAt);
  });

  it('is proposed with its figures by a co-pilot, and kept where the person says so', async () => {
    const { sessionId, cli, runner } = await grown({ mode: 'co_pilot' });
    const { step, proposesAnew, beginsAnew } = await untilPilot(cli, sessionId, 'waiting_person');
    expect(beginsAnew).toBe(true);
    expect(proposesAnew).toContain('about $4.00');
    await askPilot(cli, sessionId, { action: 'confirm', step, keep: true });
    expect((await runner.nextTurn()).text).toContain('red at length');
  });

  it('keeps it unless a person wanted otherwise, who may say so at any time', async () => {
    const { sessionId, cli, runner } = await grown({ beginsAnew: false });
    expect(await readPilot(cli, sessionId)).toMatchObject({ beginsAnew: false });
    const wish = { action: 'conversation', beginsAnew: true } as const;
    expect((await askPilot(cli, sessionId, wish)).status).toBe(202);
    await runner.nextTurn((id) => [readAgain(id)]);
    await runner.nextCheck({ tail: 'red once more' });
    expect((await runner.next('session/compact')).params.story).toHaveLength(4);
  });

  it('is decided once, although a person changes that while its check runs', async () => {
    const launched = await launchPilot(installation, { beginsAnew: true });
    const { sessionId, cli } = launched;
    const runner = new PilotedRunner(launched);
    await runner.firstTurn();
    const keep = { action: 'conversation', beginsAnew: false } as const;
    await runner.nextCheck({ tail: 'red' }, () => askPilot(cli, sessionId, keep));
    expect(await readPilot(cli, sessionId)).toMatchObject({ beginsAnew: false });
    expect((await runner.nextTurn()).text).toContain('red');
  });
});
