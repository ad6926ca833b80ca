import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { actId, LOCAL_ACTOR } from '../../protocol/ids.ts';
import { writeComment, writeReport } from '../../protocol/run-markdown.ts';
import { runReport } from '../../protocol/run-report.ts';
import { halted, turnEnded, working } from '../support/feed-events.ts';
import { TURN } from '../support/protocol-builders.ts';
import { finishedPilot, reportOf } from '../support/run-builders.ts';

const ACT = actId.parse('act_breach');
const FOUND: FeedEvent = {
  type: 'breach/found',
  breach: {
    actId: ACT,
    turnId: TURN,
    kind: 'push',
    seenBy: 'git',
    command: 'git push origin HEAD:main',
    move: {
      place: 'origin',
      ref: 'refs/heads/main',
      before: 'a'.repeat(40),
      after: 'b'.repeat(40),
    },
    rule: 'The policy says pr: no push to main.',
    undo: {
      directory: '/home/dev/site',
      commands: ['git push --force-with-lease=main:bbb origin aaa:main'],
      note: 'Tell whoever pulled meanwhile.',
    },
  },
};
const OVERRIDDEN: FeedEvent = {
  type: 'breach/overridden',
  actId: ACT,
  reason: 'It was agreed.',
  actorId: LOCAL_ACTOR,
  channel: 'cli',
};
const breached = [...working(), FOUND, halted('breach'), turnEnded()];

describe('a run that did what its policy forbids', () => {
  it('has failed, and says with what', () => {
    const report = reportOf(breached);
    expect(runReport.parse(report)).toEqual(report);
    expect(report).toMatchObject({ standing: 'failed', breaches: [{ actId: ACT }] });
    expect(report.reason).toMatch(
      /^It did what its policy forbids: push, main on origin: a+ → b+\./,
    );
  });

  it('is not done because the engine or a Pilot says so', () => {
    const events = [...working(), FOUND, turnEnded()];
    expect(reportOf(events).standing).toBe('failed');
    expect(reportOf(events, {}, { pilot: finishedPilot() }).standing).toBe('failed');
  });

  it('may be done once a person has answered for it, and still tells of it', () => {
    const report = reportOf([...working(), FOUND, turnEnded(), OVERRIDDEN]);
    expect(report.standing).toBe('done');
    expect(report.breaches[0]?.override).toMatchObject({ reason: 'It was agreed.' });
  });

  it('tells in its report what exactly, by which call, and how to take it back', () => {
    const text = writeReport(reportOf(breached));
    expect(text).toContain('## Breaches');
    expect(text).toContain('By: `git push origin HEAD:main`');
    expect(text).toContain('git push --force-with-lease=main:bbb origin aaa:main\n```');
    expect(text).toContain('Nobody has answered for it.');
    const answered = writeReport(reportOf([...breached, OVERRIDDEN]));
    expect(answered).toContain('Answered for by `usr_local` from cli: It was agreed.');
  });

  it('tells it on an issue too, without the commands for the machine', () => {
    const comment = writeComment(reportOf(breached));
    expect(comment).toContain('Forbidden, and done: push, main on origin');
    expect(comment).not.toContain('--force-with-lease');
    expect(writeComment(reportOf([...working(), turnEnded()]))).not.toContain('Forbidden');
  });
});
