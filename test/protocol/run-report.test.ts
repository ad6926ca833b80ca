import { describe, expect, it } from 'vitest';
import { composeReport, statusOf } from '../../protocol/run-compose.ts';
import { code, fence, words } from '../../protocol/markdown.ts';
import { writeReport } from '../../protocol/run-markdown.ts';
import { runReport, runStatus } from '../../protocol/run-report.ts';
import {
  actSeen,
  approvalRequested,
  checkoutPrepared,
  broughtBack,
  started,
  turnEnded,
  usageRecorded,
  working,
} from '../support/feed-events.ts';
import { aUsage, OTHER_TURN, TURN } from '../support/protocol-builders.ts';
import {
  EVIDENCE,
  finishedPilot,
  partsOf,
  reportOf,
  said,
  wholeRun,
  witnessed,
} from '../support/run-builders.ts';

const WHOLE = [
  wholeRun(),
  { budgetMicroUsd: 5_000_000 },
  { pilot: finishedPilot(), evidence: [EVIDENCE] },
] as const;

describe('the report of a run', () => {
  it('has the form of the API', () => {
    const report = reportOf(...WHOLE);
    expect(runReport.parse(report)).toEqual(report);
  });

  it('tells claim and gate of a push as one act, with who answered before it', () => {
    const { acts, approvals } = reportOf(wholeRun());
    expect(acts).toMatchObject([
      { kind: 'push', outcome: 'done', seenBy: ['stream', 'gate'], difference: null },
    ]);
    expect(acts[0]?.evidence).toEqual(['The gate passed it on: push refs/heads/fix']);
    expect(approvals).toMatchObject([
      {
        summary: 'git push origin fix',
        answer: { decision: 'allow', actorId: 'usr_local', channel: 'console' },
        resolution: 'allowed',
      },
    ]);
  });

  it('tells whose each turn was, what it cost, and the files with all their edits', () => {
    const report = reportOf(...WHOLE);
    expect(report.turns.map(({ askedBy }) => askedBy)).toEqual(['person', 'pilot']);
    expect(report.turns.map(({ spend }) => spend.reported?.microUsd)).toEqual([1560, 1560]);
    expect(report.files).toEqual([
      { path: 'src/tide.ts', change: 'edited', additions: 6, deletions: 2 },
    ]);
    expect(report).toMatchObject({ standing: 'done', commits: 2, grade: null, gaps: [] });
  });

  it('takes what a subagent says, or what is thought, for no claim', () => {
    const words = said('The work is done.');
    if (words.type !== 'text/completed') throw new Error('not a text');
    const { claim } = reportOf([
      ...working(),
      words,
      { ...words, blockId: 'b', parentToolId: 'task', text: { text: 'sub', truncated: null } },
      { ...words, blockId: 'c', kind: 'thinking', text: { text: 'hm', truncated: null } },
    ]);
    expect(claim?.text).toBe('The work is done.');
  });

  it('names what it cannot tell', () => {
    const { gaps } = reportOf([
      ...working(),
      checkoutPrepared(),
      actSeen(),
      { type: 'act/ended', actId: 'act_test1' as never, outcome: 'unknown' },
      usageRecorded(TURN, [aUsage({ provenance: 'unmetered', microUsd: null })]),
      turnEnded(TURN, { acts: 'unobservable' }),
      witnessed(TURN, { skipped: 'it did not answer', others: 2 }),
      started(OTHER_TURN, 'terminal'),
      turnEnded(OTHER_TURN, { acts: 'unsettled' }),
      broughtBack(),
    ]);
    expect(gaps).toEqual([
      '1 turn tells no acts: they are witnessed only, by the refs that moved. A deploy or a release moves none, and would not be seen.',
      'What 1 turn did is not known: neither told nor witnessed.',
      'A person drove by hand in 1 turn; of that there is no stream.',
      'What became of 1 act is not known. Look at the remote before you rely on it.',
      'Part of what it cost cannot be known: it is unmetered.',
      'Refs that were not compared: origin: it did not answer',
      '2 refs moved meanwhile, author unknown: nobody is blamed.',
      '1 changed file is in no commit.',
    ]);
  });

  it('answers in short with the claim beside what was seen, and what waits', () => {
    const parts = partsOf([...working(), said('I will push.'), approvalRequested()]);
    const status = runStatus.parse(statusOf(composeReport(parts), parts.view));
    expect(status).toMatchObject({
      standing: 'needs_person',
      reason: 'It asks: npm test',
      claim: { text: 'I will push.' },
      witnessed: { acts: [], files: [] },
      waiting: [{ summary: 'npm test' }],
      turns: 1,
    });
  });
});

describe('a report as Markdown', () => {
  it('is as it was, for a whole run', async () => {
    await expect(writeReport(reportOf(...WHOLE))).toMatchFileSnapshot(
      '../fixtures/reports/whole-run.md',
    );
  });

  it('is as it was, for a run of which little is known', async () => {
    const events = [
      ...working(),
      usageRecorded(TURN, [aUsage({ provenance: 'unsettled', microUsd: null })]),
      turnEnded(TURN, {
        outcome: 'killed',
        error: { code: 'engine_crashed', message: 'It crashed.' },
        acts: 'unsettled',
        usage: 'unsettled',
      }),
    ];
    await expect(writeReport(reportOf(events))).toMatchFileSnapshot(
      '../fixtures/reports/little-known.md',
    );
  });

  it.each(['```', '`````', 'a\n```\n# not a heading'])('keeps %j inside its block', (text) => {
    const [open = '', ...rest] = fence(text).split('\n');
    const ticks = /^`+/.exec(open)?.[0] ?? '';
    expect(rest.slice(0, -1).some((line) => line.startsWith(ticks))).toBe(false);
    expect(rest.at(-1)).toBe(ticks);
  });

  it('lets no word from outside be markup, a cell, a mention or a reference', () => {
    expect(words('a | <b>*x*</b> @octo #12 [l](u)\nnext')).toBe(
      String.raw`a \| \<b\>\*x\*\</b\> @` + '\u200Bocto #\u200B12 ' + String.raw`\[l\](u) next`,
    );
    expect(code('a | `b`\nc')).toBe('`` a ¦ `b` c ``');
  });
});
