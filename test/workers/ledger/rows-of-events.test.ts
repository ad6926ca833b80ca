import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalResolution } from '../../../protocol/approval.ts';
import { feedEvent, type FeedEvent } from '../../../protocol/engine-event.ts';
import {
  actorId,
  commandId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  launchId,
  requestId,
  runnerId,
} from '../../../protocol/ids.ts';
import { SESSION_STATES } from '../../../protocol/session.ts';
import { wholeText } from '../../../protocol/text.ts';
import { bucketOf, PROVENANCES } from '../../../protocol/usage.ts';
import {
  COMMAND_MAX_CHARS,
  decideAllRows,
  decideRows,
  sessionRow,
} from '../../../workers/ledger/rows.ts';
import { sha256Hex } from '../../../workers/lib/crypto.ts';
import { breachFound, overridden } from '../../support/breach-builders.ts';
import {
  aLaunch,
  aUsage,
  created,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';
import {
  accepted,
  anAct,
  anApproval,
  ended,
  launchFailed,
  ready,
  said,
  sessionEnded,
  started,
  toolEnded,
  toolStarted,
} from '../../support/transcript-events.ts';

const SOURCE = {
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  sessionId: SESSION,
  runnerId: runnerId.parse('run_1'),
};
const VIEW = viewAfter(created());
const LAUNCH = launchId.parse('lau_1');
const REQUEST = requestId.parse('apr_1');
const ANSWER = { decision: 'allow' as const, message: null, answers: null, suggestion: null };

/** One event of every type, and the ledgers that it has a row in. */
const EVERY: Record<FeedEvent['type'], [FeedEvent, string[]]> = {
  'session/created': [created(), []],
  'turn/accepted': [accepted(), []],
  'action/requested': [{ type: 'action/requested', action: 'stop', actorId: LOCAL_ACTOR }, []],
  'session/forked': [
    { type: 'session/forked', sessionId: SESSION, turnId: TURN, number: 1, actorId: LOCAL_ACTOR },
    [],
  ],
  'brain/answered': [{ type: 'brain/answered', step: 3, usage: aUsage() }, ['usage']],
  'approval/decided': [
    {
      type: 'approval/decided',
      requestId: REQUEST,
      answer: ANSWER,
      actorId: LOCAL_ACTOR,
      channel: 'cli',
    },
    ['approvalDecision'],
  ],
  'command/failed': [
    {
      type: 'command/failed',
      commandId: commandId.parse('cmd_1'),
      method: 'session/stop',
      turnId: null,
      code: 'expired',
      message: 'late',
    },
    [],
  ],
  'takeover/began': [
    { type: 'takeover/began', form: 'keys', actorId: LOCAL_ACTOR, channel: 'cli', epoch: 2 },
    [],
  ],
  'takeover/released': [
    { type: 'takeover/released', actorId: LOCAL_ACTOR, channel: 'cli', epoch: 2 },
    [],
  ],
  'terminal/opened': [
    {
      type: 'terminal/opened',
      turnId: TURN,
      columns: 80,
      rows: 24,
      reopened: false,
      process: { pid: 8, argv: ['engine'], directory: '/work' },
    },
    [],
  ],
  'terminal/closed': [
    { type: 'terminal/closed', turnId: TURN, reason: 'released', exitCode: 0, message: null },
    [],
  ],
  'launch/staged': [
    { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
    [],
  ],
  'launch/failed': [launchFailed(), []],
  'engine/ready': [ready(), []],
  'engine/exited': [
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: 0,
      signal: null,
      expected: true,
      stderrTail: [],
    },
    [],
  ],
  'engine/parked': [{ type: 'engine/parked', reason: 'idle' }, []],
  'session/halted': [{ type: 'session/halted', reason: 'budget', message: 'spent' }, []],
  'session/ended': [sessionEnded(), []],
  'session/resumed': [{ type: 'session/resumed' }, []],
  'breach/found': [breachFound(), ['breach']],
  'breach/overridden': [overridden(), ['breachOverride']],
  'checkout/prepared': [
    {
      type: 'checkout/prepared',
      mode: 'own',
      directory: '/co',
      branch: 'b',
      baseCommit: 'c',
      included: [],
      fromUncommitted: false,
    },
    [],
  ],
  'checkout/broughtBack': [
    {
      type: 'checkout/broughtBack',
      turnId: TURN,
      branch: 'b',
      commit: 'c',
      commits: 1,
      uncommittedFiles: 0,
    },
    [],
  ],
  'setup/ran': [
    { type: 'setup/ran', command: 'npm ci', exitCode: 0, output: wholeText(''), durationMs: 1 },
    [],
  ],
  'turn/delivered': [
    { type: 'turn/delivered', turnId: TURN, delivery: 'handed', reason: null },
    [],
  ],
  'model/routed': [{ type: 'model/routed', through: 'gate', reason: null }, []],
  // A second witness of what the usage rows hold: never another row of it.
  'model/metered': [
    {
      type: 'model/metered',
      turnId: TURN,
      calls: 1,
      refused: 0,
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 1,
      engineMicroUsd: 1,
    },
    [],
  ],
  'turn/briefed': [{ type: 'turn/briefed', turnId: TURN, turns: 1, chars: 8 }, []],
  'turn/started': [started(), []],
  'turn/ended': [ended(), []],
  'text/completed': [said('words'), []],
  'tool/started': [toolStarted(), []],
  'tool/ended': [toolEnded(), []],
  'usage/recorded': [{ type: 'usage/recorded', turnId: TURN, entries: [aUsage()] }, ['usage']],
  'act/seen': [{ type: 'act/seen', act: anAct() }, ['act']],
  'act/ended': [{ type: 'act/ended', actId: anAct().actId, outcome: 'done' }, ['actOutcome']],
  'act/witnessed': [
    {
      type: 'act/witnessed',
      actId: anAct().actId,
      by: 'git',
      finding: 'confirmed',
      move: { place: 'origin', ref: 'refs/heads/main', before: null, after: 'c' },
      evidence: 'It was pushed from here.',
    },
    ['actWitness'],
  ],
  'turn/witnessed': [
    { type: 'turn/witnessed', turnId: TURN, places: [], others: [], more: 0, elapsedMs: 3 },
    [],
  ],
  'approval/requested': [
    { type: 'approval/requested', request: anApproval() },
    ['approvalRequest'],
  ],
  'approval/resolved': [
    { type: 'approval/resolved', requestId: REQUEST, resolution: 'allowed' },
    ['approvalDecision'],
  ],
  'engine/blocked': [
    { type: 'engine/blocked', why: 'unknown', excerpt: 'Continue?', message: 'It waits.' },
    [],
  ],
  'engine/unblocked': [{ type: 'engine/unblocked' }, []],
  'rateLimit/reported': [{ type: 'rateLimit/reported', status: 'allowed', resetsAt: null }, []],
  'notice/raised': [{ type: 'notice/raised', level: 'info', code: 'note', message: 'x' }, []],
};
const rowsOf = (event: FeedEvent, position = 7, at = 70) =>
  decideRows(SOURCE, VIEW, { position, at, seq: 4, event });

describe('an event of every type', () => {
  it('is among those examined here', () => {
    const types = feedEvent.options.map((option) => option.shape.type.value);
    expect(Object.keys(EVERY).toSorted()).toEqual(types.toSorted());
  });

  it.each(Object.entries(EVERY))(
    '%s has rows in its ledgers alone',
    async (_type, [event, tables]) => {
      expect(feedEvent.parse(event)).toEqual(event);
      expect((await rowsOf(event)).map(({ table }) => table)).toEqual(tables);
    },
  );

  it.each(Object.entries(EVERY))(
    '%s names whose it is and where it came from',
    async (_type, [event]) => {
      for (const { values } of await rowsOf(event))
        expect(values).toMatchObject({
          accountId: LOCAL_ACCOUNT,
          actorId: LOCAL_ACTOR,
          sessionId: SESSION,
          position: 7,
          at: 70,
        });
    },
  );

  it('gives the same rows each time: a page that is projected twice changes nothing', async () => {
    const entries = Object.values(EVERY).map(([event], index) => ({
      position: index + 1,
      at: index,
      seq: index + 1,
      event,
    }));
    const rows = await decideAllRows(SOURCE, VIEW, entries);
    expect(await decideAllRows(SOURCE, VIEW, entries)).toEqual(rows);
    expect(rows.map(({ values }) => values.position)).toEqual(
      rows.map(({ values }) => values.position).toSorted((left, right) => left - right),
    );
    expect(rows).toHaveLength(10);
  });
});

describe('keys of usage', () => {
  type Key = { turnId: string; model: string; sourceSeq: number; ordinal: number };
  const models = fc.array(fc.constantFrom('opus', 'sonnet', 'helper'), {
    minLength: 1,
    maxLength: 8,
  });

  it('are different for every entry of an event, whatever its models', async () => {
    await fc.assert(
      fc.asyncProperty(models, async (names) => {
        const entries = names.map((model) => aUsage({ model }));
        const rows = await rowsOf({ type: 'usage/recorded', turnId: TURN, entries });
        const keys = rows.map(({ values }) => {
          const { turnId, model, sourceSeq, ordinal } = values as Key;
          return [turnId, model, sourceSeq, ordinal].join(' ');
        });
        expect(new Set(keys).size).toBe(names.length);
      }),
    );
  });

  it.each(PROVENANCES)('carry the bucket of %s by both payers', async (provenance) => {
    const entries = [aUsage({ provenance }), aUsage({ provenance, payer: 'subscription' })];
    const rows = await rowsOf({ type: 'usage/recorded', turnId: TURN, entries });
    expect(rows.map(({ values }) => (values as { bucket: string }).bucket)).toEqual(
      entries.map(bucketOf),
    );
  });
});

describe('what a row keeps of a text', () => {
  it('is its hash where the text is the content of the record', async () => {
    const input = wholeText('rm -rf build');
    const [row] = await rowsOf({ type: 'approval/requested', request: anApproval({ input }) });
    expect(row?.values).toMatchObject({ inputSha256: await sha256Hex('rm -rf build') });
  });

  it('is the hash of the whole where the record has only a part', async () => {
    const input = { text: 'head', truncated: { bytes: 99_999, sha256: 'of-the-whole' } };
    const [row] = await rowsOf({ type: 'approval/requested', request: anApproval({ input }) });
    expect(row?.values).toMatchObject({ inputSha256: 'of-the-whole' });
  });

  it('is a command as far as a list shows it, and its hash', async () => {
    const command = `git push ${'é'.repeat(2 * COMMAND_MAX_CHARS)}`;
    const [row] = await rowsOf({ type: 'act/seen', act: anAct({ command }) });
    const values = row?.values as { command: string; commandSha256: string };
    expect(values.command).toBe(command.slice(0, COMMAND_MAX_CHARS));
    expect(values.commandSha256).toBe(await sha256Hex(command));
  });

  it('tells two answers apart that decide the same', async () => {
    const decided = (message: string | null): FeedEvent => ({
      type: 'approval/decided',
      requestId: REQUEST,
      answer: { ...ANSWER, decision: 'deny', message },
      actorId: actorId.parse('usr_other'),
      channel: 'console',
    });
    const [one] = await rowsOf(decided('not today'));
    const [other] = await rowsOf(decided('never'));
    expect(one?.values).not.toEqual(other?.values);
    expect(one?.values).toMatchObject({ actorId: 'usr_other', origin: 'person' });
  });

  it.each(approvalResolution.options)('is the engine’s own word %s', async (resolution) => {
    const [row] = await rowsOf({ type: 'approval/resolved', requestId: REQUEST, resolution });
    expect(row?.values).toMatchObject({ origin: 'engine', decision: resolution });
  });
});

describe('the row of a session', () => {
  it.each(SESSION_STATES)('shows the state %s as it is', (state) => {
    const row = sessionRow(SOURCE, { ...VIEW, state, reason: 'why' }, 9);
    expect(row).toMatchObject({ state, reason: 'why', position: 9 });
  });

  it('counts what waits and what was done, and keeps the spend by bucket', () => {
    const worked = viewAfter(
      created(),
      accepted(),
      ready(),
      started(),
      { type: 'approval/requested', request: anApproval() },
      { type: 'act/seen', act: anAct() },
      {
        type: 'usage/recorded',
        turnId: TURN,
        entries: [aUsage(), aUsage({ payer: 'subscription' })],
      },
    );
    const launch = aLaunch({ engineId: 'claude', directory: '/srv' });
    expect(sessionRow(SOURCE, { ...worked, launch }, 7)).toMatchObject({
      pendingApprovals: 1,
      acts: 1,
      rehearsal: false,
      directory: '/srv',
      spend: { reported: { entries: 1 }, notional: { entries: 1 } },
    });
  });
});
