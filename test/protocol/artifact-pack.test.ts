import { describe, expect, it } from 'vitest';
import { artifactPack, PACK_LAST_ENTRIES, PackCollector } from '../../protocol/artifact-pack.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { actId, runnerId } from '../../protocol/ids.ts';
import {
  actSeen,
  exited,
  LAUNCH,
  launchFailed,
  ready,
  RELAUNCH,
  staged,
} from '../support/feed-events.ts';
import { created, viewAfter } from '../support/protocol-builders.ts';

const PROCESS = { pid: 7, argv: ['engine'], directory: '/r', environment: ['HOME', 'PATH'] };
const MACHINE = { runnerId: runnerId.parse('run_1'), name: 'desk', facts: null };

/** Packs a record of these events, one at each millisecond, read in pages of three. */
function packOf(...events: FeedEvent[]) {
  const entries = [created(), ...events].map((event, index) => ({
    position: index + 1,
    at: index,
    seq: null,
    event,
  }));
  const collector = new PackCollector();
  for (let from = 0; from < entries.length; from += 3) collector.add(entries.slice(from, from + 3));
  return artifactPack.parse(collector.pack(viewAfter(...events), MACHINE, 99));
}

describe('the artifact pack of a session', () => {
  it('tells each launch: its stages with times, process, failure and exit', () => {
    const pack = packOf(
      staged('spawned', { process: PROCESS }),
      launchFailed({ stage: 'spawned', stderrTail: ['boom'] }),
      exited({ exitCode: 3, stderrTail: ['boom'] }),
      staged('spawned', { launchId: RELAUNCH, process: { ...PROCESS, pid: 8 } }),
      staged('bootstrap_submitted', { launchId: RELAUNCH }),
      ready({ launchId: RELAUNCH }),
    );
    expect(pack.launches).toMatchObject([
      {
        launchId: LAUNCH,
        stages: [{ stage: 'spawned', at: 1 }],
        process: PROCESS,
        engine: null,
        failure: { at: 2, error: { code: 'auth_missing' }, stderrTail: ['boom'] },
        exits: [{ at: 3, exitCode: 3, stderrTail: ['boom'] }],
      },
      {
        launchId: RELAUNCH,
        stages: [
          { stage: 'spawned', at: 4 },
          { stage: 'bootstrap_submitted', at: 5 },
        ],
        process: { pid: 8 },
        engine: { at: 6, version: '2.1.332', credential: 'ANTHROPIC_API_KEY' },
        failure: null,
        exits: [],
      },
    ]);
  });

  it('joins each act with what became of it and who else saw it', () => {
    const seen = actSeen();
    const { act } = seen;
    const found = {
      by: 'git',
      finding: 'confirmed',
      move: { place: 'origin', ref: 'refs/heads/main', before: null, after: 'c' },
      evidence: 'It was pushed from here.',
    } as const;
    const pack = packOf(
      seen,
      { type: 'act/ended', actId: act.actId, outcome: 'done' },
      { type: 'act/witnessed', actId: act.actId, ...found },
    );
    const end = { outcome: 'done', decidedBy: null, reason: null };
    expect(pack.acts).toEqual([{ at: 1, act, ...end, witnesses: [found] }]);
  });

  it('holds the last entries of a long record and says how many there were', () => {
    const notices = Array.from({ length: 500 }, (_, index): FeedEvent => ({
      type: 'notice/raised',
      level: 'info',
      code: 'counted',
      message: String(index),
    }));
    const pack = packOf(...notices);
    expect(pack.entries).toBe(501);
    expect(pack.last.map(({ position }) => position)).toEqual(
      Array.from({ length: PACK_LAST_ENTRIES }, (_, index) => 302 + index),
    );
  });
});

describe('acts in the pack', () => {
  it('are one where the stream claims and the gate judges, with the gate’s word', () => {
    const claim = actSeen();
    const ref = actSeen(undefined, {
      actId: actId.parse('act_gate'),
      claimId: claim.act.actId,
      witness: 'gate',
      command: 'git push origin 0123:refs/heads/main',
    });
    const pack = packOf(claim, ref, {
      type: 'act/ended',
      actId: ref.act.actId,
      outcome: 'not_done',
      by: 'policy',
      reason: 'main is protected',
    });
    expect(pack.acts).toHaveLength(1);
    expect(pack.acts[0]).toMatchObject({
      act: { actId: claim.act.actId },
      outcome: 'not_done',
      decidedBy: 'policy',
      reason: 'main is protected',
      witnesses: [{ by: 'gate', finding: 'judged' }],
    });
  });

  it('are counted once, however often they are told', () => {
    expect(packOf(actSeen(), actSeen()).acts).toHaveLength(1);
  });
});
