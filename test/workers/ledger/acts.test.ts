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

  /** The gate's telling of a ref that `claimId` pushes. */
  const gated = (id: string, claimId: string, outcome: 'done' | 'not_done'): EngineEvent[] => {
    const act = {
      actId: actId.parse(id),
      turnId: session.turnId,
      toolId: null,
      kind: 'push' as const,
      command: `git push origin abc:${id}`,
      target: `origin ${id}`,
      witness: 'gate' as const,
      uncertain: false,
      claimId: actId.parse(claimId),
    };
    const refused = outcome === 'not_done' && {
      by: 'policy' as const,
      reason: `${id} is protected`,
    };
    return [
      { type: 'act/seen', act },
      { type: 'act/ended', actId: act.actId, outcome, ...refused },
    ];
  };

  it('are one where the gate saw what the stream claims, and end as the gate says', async () => {
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      ...gated('act_g1', 'act_1', 'not_done'),
      ended('act_1', 'done'),
    ]);
    await untilRows('SELECT 1 FROM act_outcomes', 2);
    expect((await list()).items).toMatchObject([
      {
        actId: 'act_1',
        witness: 'stream',
        outcome: 'not_done',
        decidedBy: 'policy',
        reason: 'act_g1 is protected',
        witnesses: [
          {
            by: 'gate',
            finding: 'judged',
            evidence: 'The gate refused git push origin abc:act_g1: act_g1 is protected',
          },
        ],
      },
    ]);
    expect((await list('?kind=push')).items).toHaveLength(1);
  });

  it('tell of each ref of a push, and what the refs show of it', async () => {
    const move = { place: 'origin', ref: 'refs/heads/a', before: null, after: 'c' };
    await session.peer.stored(session.sessionId, 1, [
      seen('act_1', 'push'),
      ...gated('act_g1', 'act_1', 'done'),
      ...gated('act_g2', 'act_1', 'not_done'),
      ended('act_1', 'not_done'),
      {
        type: 'act/witnessed',
        actId: actId.parse('act_g1'),
        by: 'git',
        finding: 'confirmed',
        move,
        evidence: 'of git',
      },
    ]);
    await untilRows('SELECT 1 FROM act_witnesses', 1);
    const { items } = await list();
    expect(items).toMatchObject([{ outcome: 'done', reason: 'act_g2 is protected' }]);
    expect(items[0]?.witnesses.map(({ by, finding }) => `${by} ${finding}`)).toEqual([
      'gate judged',
      'gate judged',
      'git confirmed',
    ]);
    expect(items[0]?.witnesses[2]?.move).toEqual(move);
  });

  it('of the gate that nobody claims are their own', async () => {
    const [gate] = gated('act_g1', 'act_1', 'done');
    if (gate?.type !== 'act/seen') throw new Error('not an act');
    const { claimId: _, ...act } = gate.act;
    await session.peer.stored(session.sessionId, 1, [{ type: 'act/seen', act }]);
    await untilRows('SELECT 1 FROM acts', 1);
    expect((await list()).items).toMatchObject([{ actId: 'act_g1', witness: 'gate' }]);
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
