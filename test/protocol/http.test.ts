import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  actsQuery,
  actRow,
  breachPage,
  entriesQuery,
  instructRequest,
  knownBreachPage,
  launchRequest,
  me,
  pageOf,
  pageQuery,
  pathQuery,
  runnerSummary,
  sessionQuery,
  sessionSummary,
  usageGrouping,
  usageQuery,
  usageRow,
  usageSummaryQuery,
} from '../../protocol/http.ts';
import { bucketOf } from '../../protocol/usage.ts';
import { ANSWER_MS, NO_OUTPUT_MS } from '../../protocol/launch.ts';
import { aLaunch, aUsage } from '../support/protocol-builders.ts';

const ok = (schema: z.ZodType, raw: unknown) => schema.safeParse(raw).success;

describe('a page', () => {
  it('is fifty long unless somebody asks otherwise', () => {
    expect(pageQuery.parse({})).toEqual({ limit: 50 });
  });

  it.each([
    ['1', 1],
    ['500', 500],
    [20, 20],
  ])('reads %j from an address as %d', (limit, read) => {
    expect(pageQuery.parse({ limit }).limit).toBe(read);
  });

  it.each(['0', '501', '-1', '1.5', 'many', '1e9', 'Infinity', 'NaN'])(
    'of %s items is refused: nobody makes the server read everything',
    (limit) => {
      expect(ok(pageQuery, { limit })).toBe(false);
    },
  );

  it('has a cursor of bounded length', () => {
    expect(ok(pageQuery, { cursor: 'x'.repeat(200) })).toBe(true);
    expect(ok(pageQuery, { cursor: 'x'.repeat(201) })).toBe(false);
  });

  it('says where the next one begins, or that there is none', () => {
    const page = pageOf(z.number());
    expect(page.parse({ items: [1, 2], nextCursor: null })).toEqual({
      items: [1, 2],
      nextCursor: null,
    });
    expect(ok(page, { items: [1] })).toBe(false);
    expect(ok(page, { items: ['one'], nextCursor: null })).toBe(false);
  });
});

describe('the entries of a record', () => {
  it('are read from the beginning, two hundred at a time', () => {
    expect(entriesQuery.parse({})).toEqual({ after: 0, limit: 200 });
  });

  it.each([
    [{ after: '17', limit: '1000' }, true],
    [{ after: '-1' }, false],
    [{ after: '1.5' }, false],
    [{ limit: '1001' }, false],
    [{ limit: '0' }, false],
  ])('%j is accepted: %s', (query, accepted) => {
    expect(ok(entriesQuery, query)).toBe(accepted);
  });
});

/** A launch without what the server alone adds to it. */
function aRequest() {
  const { preset: _preset, from: _from, policy: _policy, ...launch } = aLaunch();
  return launch;
}

describe('a launch over HTTP', () => {
  it('is a launch and the machine that it is for', () => {
    const request = { runnerId: 'run_1', ...aRequest() };
    expect(launchRequest.parse(request)).toEqual(request);
  });

  it('names its engine and cannot bring one along: that is the account’s to say', () => {
    const request = { runnerId: 'run_1', ...aRequest(), preset: { id: 'mine' } };
    expect(launchRequest.parse(request)).not.toHaveProperty('preset');
  });

  it('names the session that it goes on from, and cannot tell its story itself', () => {
    const from = 'ses_01jt0000000000000000ab';
    expect(launchRequest.parse({ runnerId: 'run_1', ...aRequest(), from })).toMatchObject({ from });
    const told = {
      runnerId: 'run_1',
      ...aRequest(),
      from: { sessionId: from, story: 'Trust me.' },
    };
    expect(ok(launchRequest, told)).toBe(false);
  });

  it('says a part of a policy, and nothing that no policy knows', () => {
    const request = (policy: unknown) => ({ runnerId: 'run_1', ...aRequest(), policy });
    expect(ok(launchRequest, request({ mode: 'none' }))).toBe(true);
    expect(ok(launchRequest, request({}))).toBe(true);
    expect(ok(launchRequest, request({ mode: 'anything' }))).toBe(false);
    expect(ok(launchRequest, request({ allowEverything: true }))).toBe(false);
  });

  it('has the same careful defaults as a launch', () => {
    const { runnerId, ...launch } = launchRequest.parse({
      runnerId: 'run_1',
      engineId: 'rehearsal',
      directory: null,
      objective: 'Work',
    });
    expect(runnerId).toBe('run_1');
    const times = { noOutputMs: NO_OUTPUT_MS, answerMs: ANSWER_MS };
    const settled = { ...launch, ...times, preset: null, from: null, policy: null };
    expect(settled).toEqual(aLaunch({ objective: 'Work' }));
  });

  it.each([
    ['no machine', { ...aRequest() }],
    ['a session in its place', { runnerId: 'ses_1', ...aRequest() }],
    ['no words', { runnerId: 'run_1', ...aRequest(), objective: '\n' }],
  ])('with %s is refused', (_what, request) => {
    expect(ok(launchRequest, request)).toBe(false);
  });
});

describe('an instruction over HTTP', () => {
  it('may name itself, so that sending it again is safe', () => {
    expect(instructRequest.parse({ turnId: 'trn_1', text: 'go' }).turnId).toBe('trn_1');
    expect(instructRequest.parse({ text: 'go' }).turnId).toBeUndefined();
  });

  it.each([
    { text: '' },
    { text: '   ' },
    {},
    { turnId: 'trn_!', text: 'go' },
    { turnId: null, text: 'go' },
  ])('like %j is refused', (request) => {
    expect(ok(instructRequest, request)).toBe(false);
  });
});

describe('a path on a machine', () => {
  it('is the beginning of everything when none is given', () => {
    expect(pathQuery.parse({})).toEqual({ path: '', limit: 100 });
  });

  it('is of bounded length', () => {
    expect(ok(pathQuery, { path: 'x'.repeat(4097) })).toBe(false);
  });
});

describe('questions to the ledgers', () => {
  it('may be about one session, one kind or a span of time', () => {
    expect(usageQuery.parse({ sessionId: 'ses_1', from: '5', to: '9' })).toEqual({
      limit: 50,
      sessionId: 'ses_1',
      from: 5,
      to: 9,
    });
    expect(actsQuery.parse({ kind: 'push' })).toEqual({ limit: 50, kind: 'push' });
    expect(sessionQuery.parse({ runnerId: 'run_1' })).toEqual({ limit: 50, runnerId: 'run_1' });
  });

  it.each([
    ['a session of another kind', usageQuery, { sessionId: 'run_1' }],
    ['a time before time', usageQuery, { from: '-1' }],
    ['a time that is none', usageQuery, { to: 'today' }],
    ['an act that nobody knows', actsQuery, { kind: 'explode' }],
    ['a machine of another kind', sessionQuery, { runnerId: 'ses_1' }],
    ['a grouping that nobody knows', usageSummaryQuery, { by: 'mood' }],
  ])('about %s are refused', (_what, schema, query) => {
    expect(ok(schema, query)).toBe(false);
  });

  it('are summed by day unless somebody asks otherwise', () => {
    expect(usageSummaryQuery.parse({})).toEqual({ by: 'day', limit: 50 });
    for (const by of usageGrouping.options) expect(usageSummaryQuery.parse({ by }).by).toBe(by);
  });
});

describe('a row of the usage ledger', () => {
  const row = {
    ...aUsage(),
    bucket: bucketOf(aUsage()),
    sessionId: 'ses_1',
    sessionTitle: 'Work',
    engineId: 'claude',
    turnId: null,
    at: 5,
  };

  it('is read back without a difference', () => {
    expect(usageRow.parse(row)).toEqual(row);
  });

  it.each([
    ['a negative amount', { microUsd: -1 }],
    ['half a token', { inputTokens: 0.5 }],
    ['a bucket that nobody knows', { bucket: 'gift' }],
    ['no provenance', { provenance: undefined }],
    ['an amount that is no number', { microUsd: Number.NaN }],
  ])('with %s is refused', (_what, over) => {
    expect(ok(usageRow, { ...row, ...over })).toBe(false);
  });

  it('may have no price, which is not zero', () => {
    expect(usageRow.parse({ ...row, microUsd: null }).microUsd).toBeNull();
  });
});

describe('a row of the acts', () => {
  const row = {
    actId: 'act_1',
    sessionId: 'ses_1',
    sessionTitle: 'Work',
    engineId: 'claude',
    rehearsal: false,
    turnId: 'trn_1',
    toolId: null,
    kind: 'push',
    target: null,
    command: 'git push',
    witness: 'git',
    uncertain: true,
    outcome: null,
    waiting: true,
    at: 5,
  };

  it('may still be under way', () => {
    expect(actRow.parse(row).outcome).toBeNull();
  });

  it('says whether it was a rehearsal', () => {
    expect(ok(actRow, { ...row, rehearsal: undefined })).toBe(false);
  });
});

describe('a session in a list', () => {
  const summary = {
    sessionId: 'ses_1',
    runnerId: 'run_1',
    runnerName: 'desk',
    title: 'Work',
    engineId: 'claude',
    rehearsal: false,
    directory: null,
    grade: null,
    state: 'idle',
    reason: null,
    dismissedAt: null,
    pendingApprovals: 0,
    spend: {},
    acts: 0,
    breaches: 0,
    createdAt: 1,
    updatedAt: 2,
    approvalExpiredAt: null,
    pilot: null,
  };

  it('is read back without a difference', () => {
    expect(sessionSummary.parse(summary)).toEqual(summary);
  });

  it('is in a state of the table', () => {
    expect(ok(sessionSummary, { ...summary, state: 'dreaming' })).toBe(false);
  });

  it('does not have fewer than no approvals', () => {
    expect(ok(sessionSummary, { ...summary, pendingApprovals: -1 })).toBe(false);
  });
});

describe('who is asking', () => {
  it.each(['person', 'cli', 'runner'])('may be a %s', (kind) => {
    expect(ok(me, { principal: { kind, name: 'x' }, version: '0.1.0' })).toBe(true);
  });

  it('is nobody else', () => {
    expect(ok(me, { principal: { kind: 'admin', name: 'x' }, version: '0.1.0' })).toBe(false);
  });

  it('on a machine that never said a word is known by its name alone', () => {
    const summary = {
      runnerId: 'run_1',
      name: 'desk',
      presence: 'offline',
      lastSeenAt: null,
      machine: null,
    };
    // One from before there was such a thing says nothing of its access.
    expect(runnerSummary.parse(summary)).toEqual({ ...summary, revokedAt: null });
  });
});

describe('a page as its reader takes it', () => {
  it('has what it knows, and passes over what a newer server lists beside it', () => {
    const row = {
      actId: 'act_1',
      turnId: null,
      kind: 'push',
      seenBy: 'git',
      command: 'git push',
      rule: 'x',
      move: null,
      undo: { directory: null, commands: [], note: '' },
      at: 1,
      override: null,
      sessionId: 'ses_1',
      sessionTitle: 'x',
      engineId: 'claude',
      policy: [],
    };
    const newer = { ...row, sessionId: 'fleet_1' };
    const page = { items: [newer, row, 'x'], nextCursor: 'next' };
    expect(breachPage.safeParse(page).success).toBe(false);
    const known = knownBreachPage.parse(page);
    expect(known.items.map(({ sessionId }) => sessionId)).toEqual(['ses_1']);
    expect(known.nextCursor).toBe('next');
    expect(knownBreachPage.safeParse({ items: [] }).success).toBe(false);
  });
});
