import { describe, expect, it } from 'vitest';
import { sessionId } from '../../../../protocol/ids.ts';
import { compareRuns } from '../../../../protocol/run-compare.ts';
import { composeReport, statusOf } from '../../../../protocol/run-compose.ts';
import type { Paint } from '../../../../runner/cli/output.ts';
import { describeComparison, describeStatus } from '../../../../runner/cli/reports/words.ts';
import { breachFound } from '../../../support/breach-builders.ts';
import { approvalRequested, working } from '../../../support/feed-events.ts';
import {
  EVIDENCE,
  finishedPilot,
  partsOf,
  reportOf,
  said,
  wholeRun,
} from '../../../support/run-builders.ts';

const paint: Paint = (_, text) => text;
const describe_ = (...args: Parameters<typeof partsOf>) => {
  const parts = partsOf(...args);
  return describeStatus(statusOf(composeReport(parts), parts.view), paint);
};

describe('how a run stands, in a terminal', () => {
  it('has the claim apart from what was seen', () => {
    const pilot = finishedPilot();
    expect(describe_(wholeRun(), { budgetMicroUsd: 5_000_000 }, { pilot, evidence: [EVIDENCE] }))
      .toMatchInlineSnapshot(`
      "Fix the test  ses_test1
      Done: The Pilot finished: Every check passes.
      Spend: < $0.01 reported of $5.00 · 2 turns
      Pilot: finished, Every check passes.

      The agent says (a claim):
        Done: the average is right. cc @octo/team, closes #1 | <b>bold</b>

      Acts that were seen:
        push origin fix: done (seen by stream and gate)  git push origin fix

      Changed files:
        src/tide.ts +6 -2
        2 new commits on pilothouse/fix, 0 files in none"
    `);
  });

  it('shows what waits, with the commands that answer', () => {
    const shown = describe_([...working(), approvalRequested()]);
    expect(shown).toContain('Waits for a person: It asks: npm test');
    expect(shown).toContain('sessions approve ses_test1 apr_test1');
  });

  it('names what was forbidden and done, and where its undoing stands', () => {
    const shown = describe_([...working(), breachFound()]);
    expect(shown).toMatch(/Forbidden, and done:\n {2}.+: pilothouse breaches --session ses_test1/);
    expect(describe_(working())).not.toContain('Forbidden');
  });

  it('lets no word of an agent move the cursor', () => {
    expect(describe_([...working(), said('safe\u001B[2J\u0007')])).toMatch(/ {2}safe$/m);
  });
});

describe('runs beside each other, in a terminal', () => {
  it('have a column each, and the conclusions below', () => {
    const one = reportOf(wholeRun());
    const other = { ...reportOf(working()), sessionId: sessionId.parse('ses_other1') };
    expect(describeComparison(compareRuns([one, other]))).toMatchInlineSnapshot(`
      "Objective: Fix the test

                 claude …_test1                           claude …other1
      standing   done                                     working
      model      claude-opus-5-5                          claude-opus-5-5
      driven by  manual                                   manual
      turns      2 (1 by the Pilot)                       1
      a turn     4.0 s                                    0.0 s
      at work    15 s                                     0.0 s
      spend      < $0.01 reported                         no usage recorded
      acts       1 push                                   none
      changed    1 file told, 2 commits, 0 files in none  0 files told, 0 commits, 0 files in none
      approvals  1                                        0

      Done: claude …_test1. Cost and time are concluded from these alone."
    `);
  });
});
