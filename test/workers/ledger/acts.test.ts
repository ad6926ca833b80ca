import { beforeEach, describe, expect, it } from 'vitest';
import type { ActKind } from '../../../protocol/act.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { actPage } from '../../../protocol/http.ts';
import { actId } from '../../../protocol/ids.ts';
import { COMMAND_MAX_CHARS } from '../../../workers/ledger/rows.ts';
import { anApproval } from '../../support/transcript-events.ts';
import { ask } from '../support/http.ts';
import { type Launched, launchOn, startOnline, untilRows } from '../support/sessions.ts';

describe('acts', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const seen = (id: string, kind: ActKind, command = `git ${kind}`): EngineEvent => ({
    type: 'act/seen',
    act: {
      actId: actId.parse(id),
      turnId: session.turnId,
      toolId: 'tool-1',
      kind,
      command,
      target: 'origin main',
      witness: 'stream',
      uncertain: false,
    },
  });
  const ended = (id: string, outcome: 'done' | 'not_done' | 'unknown'): EngineEvent => ({
    type: 'act/ended',
    actId: actId.parse(id),
    outcome,
  });
  const list = async (query = '') =>
    actPage.parse((await ask('GET', `/v1/acts${query}`, { bearer: session.cli })).body);

  it('are listed with what became of them, or nothing while that is open', async () => {
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      ended('act_1', 'done'),
      seen('act_2', 'merge'),
    ]);
    await untilRows('SELECT 1 FROM acts', 2);
    const { items } = await list();
    expect(items.map(({ actId: id, outcome }) => `${id} ${outcome}`).toSorted()).toEqual([
      'act_1 done',
      'act_2 null',
    ]);
    expect(items[0]).toMatchObject({
      sessionTitle: 'Fix it',
      engineId: 'rehearsal',
      rehearsal: true,
      target: 'origin main',
    });
  });

  it('wait as long as nobody answered for their call, and no longer', async () => {
    const request = anApproval({ toolId: 'tool-1' });
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      { type: 'approval/requested', request },
    ]);
    await untilRows('SELECT 1 FROM approval_requests', 1);
    expect((await list()).items).toMatchObject([{ outcome: null, waiting: true }]);
    await session.peer.stored(session.sessionId, 3, [
      { type: 'approval/resolved', requestId: request.requestId, resolution: 'allowed' },
    ]);
    await untilRows('SELECT 1 FROM approval_decisions', 1);
    expect((await list()).items).toMatchObject([{ outcome: null, waiting: false }]);
  });

  it('tell what each witness found, in order', async () => {
    const move = { place: 'origin', ref: 'refs/heads/main', before: null, after: 'c' };
    const found = (by: 'git' | 'gate', finding: 'confirmed' | 'unmoved'): EngineEvent => ({
      type: 'act/witnessed',
      actId: actId.parse('act_1'),
      by,
      finding,
      move: finding === 'confirmed' ? move : null,
      evidence: `of ${by}`,
    });
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      seen('act_2', 'merge'),
      found('git', 'unmoved'),
      found('gate', 'confirmed'),
    ]);
    await untilRows('SELECT 1 FROM act_witnesses', 2);
    const { items } = await list();
    expect(items.find((item) => item.actId === 'act_2')?.witnesses).toEqual([]);
    expect(items.find((item) => item.actId === 'act_1')?.witnesses).toEqual([
      { by: 'git', finding: 'unmoved', move: null, evidence: 'of git' },
      { by: 'gate', finding: 'confirmed', move, evidence: 'of gate' },
    ]);
  });

  it('show the latest of two outcomes', async () => {
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      ended('act_1', 'unknown'),
      ended('act_1', 'done'),
    ]);
    await untilRows('SELECT 1 FROM act_outcomes', 2);
    expect((await list()).items[0]?.outcome).toBe('done');
  });

  it('are one however often they are seen', async () => {
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      seen('act_1', 'push'),
      seen('act_2', 'tag'),
    ]);
    await untilRows('SELECT 1 FROM acts', 2);
    expect((await list()).items).toHaveLength(2);
  });

  it('are listed by kind and by session, in pages', async () => {
    const events = Array.from({ length: 5 }, (_, index) =>
      seen(`act_${index}`, index % 2 ? 'tag' : 'push'),
    );
    await session.peer.stored(session.sessionId, 1, events);
    await untilRows('SELECT 1 FROM acts', 5);
    const first = await list('?kind=push&limit=2');
    const second = await list(`?kind=push&limit=2&cursor=${first.nextCursor}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
    expect((await list('?sessionId=ses_nowhere')).items).toEqual([]);
  });

  it('repeat a command only as far as a list needs it', async () => {
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push', `git push ${'x'.repeat(5_000)}`),
    ]);
    await untilRows('SELECT 1 FROM acts', 1);
    expect((await list()).items[0]?.command).toHaveLength(COMMAND_MAX_CHARS);
  });
});
