// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { describeNote } from '../../../console/transcript/describe-note.ts';
import { breachFound, halted, overridden } from '../../support/breach-builders.ts';
import { launchFailed, ready, sessionEnded } from '../../support/transcript-events.ts';

const say = (event: Parameters<typeof describeNote>[0]) => describeNote(event)?.text;

describe('what a transcript says of its session', () => {
  it('leaves a launch to its own place until it fails, with its last words', () => {
    expect(describeNote(ready())).toBeNull();
    expect(describeNote(launchFailed({ stderrTail: ['no such file'] }))).toEqual({
      text: 'The directory is not there.',
      tone: 'failed',
      detail: ['no such file'],
    });
  });

  it.each(['interrupt', 'stop', 'restart', 'compact', 'dismiss', 'restore'] as const)(
    'tells that %s was asked for',
    (action) => {
      const asked = describeNote({ type: 'action/requested', action, actorId: LOCAL_ACTOR });
      expect(asked?.tone).toBe('quiet');
      expect(asked?.text).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('tells a breach with its rule, a halt, and who answered for it', () => {
    expect(describeNote(breachFound())).toMatchObject({ tone: 'failed' });
    expect(say(breachFound())).toContain('main is protected.');
    expect(say(halted)).toBe('Halted: Its policy forbids what it did: merge, main on origin.');
    expect(describeNote(overridden('by hand'))).toMatchObject({
      tone: 'quiet',
      text: 'Answered for: by hand',
    });
  });

  it.each([
    ['finished', 'quiet'],
    ['stopped', 'quiet'],
    ['failed', 'failed'],
    ['lost', 'failed'],
  ] as const)('tells an end that is %s as %s, with and without a reason', (end, tone) => {
    expect(describeNote(sessionEnded({ end }))?.tone).toBe(tone);
    expect(say(sessionEnded({ end, reason: 'Why.' }))).toMatch(/^[A-Z][a-z]+: Why\.$/);
    expect(say(sessionEnded({ end, reason: '' }))).toMatch(/^[A-Z][a-z]+\.$/);
  });

  it.each([
    ['inPlace', null, false, 'Works in /srv/work itself.'],
    ['own', 'b', false, 'Works in a checkout of its own, on branch b.'],
    ['own', null, true, 'on branch none, with your uncommitted changes.'],
  ] as const)(
    'tells a checkout %s on %j from uncommitted %j',
    (mode, branch, fromUncommitted, words) => {
      const prepared: EventOf<'checkout/prepared'> = {
        type: 'checkout/prepared',
        mode,
        directory: '/srv/work',
        branch,
        baseCommit: 'c',
        included: [],
        fromUncommitted,
      };
      expect(say(prepared)).toContain(words);
    },
  );

  it('tells of a comparison only what is odd', () => {
    const witnessed: EventOf<'turn/witnessed'> = {
      type: 'turn/witnessed',
      turnId: 'trn_a' as EventOf<'turn/witnessed'>['turnId'],
      places: [{ name: 'origin', refs: 3, skipped: null }],
      others: [],
      more: 0,
      elapsedMs: 1,
    };
    expect(describeNote(witnessed)).toBeNull();
    const skipped = { name: 'fork', refs: null, skipped: 'It did not answer.' };
    expect(say({ ...witnessed, places: [skipped], more: 2 })).toBe(
      'The refs of fork were not compared: It did not answer. 2 more moved, author unknown.',
    );
  });

  it('says of a pause why, and that the next instruction ends it where it does', () => {
    const parked = (reason: EventOf<'engine/parked'>['reason']) =>
      say({
        type: 'engine/parked',
        launchId: ready().launchId,
        reason,
      } as EventOf<'engine/parked'>);
    for (const reason of ['idle', 'spool_full', 'no_output', 'runner_restarted'] as const)
      expect(parked(reason)).toContain('The next instruction resumes it.');
    expect(parked('taken_over')).toContain('your terminal');
  });
});
