import { describe, expect, it } from 'vitest';
import { approvalAnswer } from '../../../protocol/approval.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import {
  actId,
  actorId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  requestId,
  runnerId,
} from '../../../protocol/ids.ts';
import { decideAllRows, decideRows, sessionRow } from '../../../workers/ledger/rows.ts';
import { aUsage, created, SESSION, TURN, viewAfter } from '../../support/protocol-builders.ts';
import { checkoutPrepared } from '../../support/feed-events.ts';
import { readyEvents, text, turnEnded } from '../support/sessions.ts';

const SOURCE = {
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  sessionId: SESSION,
  runnerId: runnerId.parse('run_1'),
};
const REQUEST = requestId.parse('apr_1');
const VIEW = viewAfter(created());

const rowsOf = (event: FeedEvent, seq: number | null = 4) =>
  decideRows(SOURCE, VIEW, { position: 7, at: 70, seq, event });

describe('the rows of an entry', () => {
  it('of usage are one per model, keyed by the runner’s own number', async () => {
    const entries = [aUsage(), aUsage({ model: 'helper' }), aUsage({ provenance: 'estimated' })];
    const rows = await rowsOf({ type: 'usage/recorded', turnId: TURN, entries });
    expect(rows.map(({ values }) => values)).toMatchObject([
      { turnId: TURN, model: 'claude-opus-5-5', sourceSeq: 4, ordinal: 0, bucket: 'reported' },
      { turnId: TURN, model: 'helper', sourceSeq: 4, ordinal: 0 },
      { turnId: TURN, model: 'claude-opus-5-5', sourceSeq: 4, ordinal: 1, bucket: 'estimated' },
    ]);
  });

  it('of usage outside any turn have an empty turn, for a key cannot be null', async () => {
    const [row] = await rowsOf({ type: 'usage/recorded', turnId: null, entries: [aUsage()] });
    expect(row?.values).toMatchObject({ turnId: '' });
  });

  it('of usage that the cloud wrote cannot meet those of a runner', async () => {
    const [row] = await rowsOf({ type: 'usage/recorded', turnId: null, entries: [aUsage()] }, null);
    expect(row?.values).toMatchObject({ sourceSeq: -7 });
  });

  it('of usage keep an unknown price unknown', async () => {
    const entries = [aUsage({ microUsd: null, provenance: 'unsettled' })];
    const [row] = await rowsOf({ type: 'usage/recorded', turnId: TURN, entries });
    expect(row?.values).toMatchObject({ microUsd: null, bucket: 'unsettled' });
  });

  it('of an act point at the whole command by its hash', async () => {
    const command = `git push origin ${'x'.repeat(2_000)}`;
    const [row] = await rowsOf({
      type: 'act/seen',
      act: {
        actId: actId.parse('act_1'),
        turnId: TURN,
        toolId: 't',
        kind: 'push',
        command,
        target: 'origin',
        witness: 'git',
        uncertain: true,
      },
    });
    expect(row).toMatchObject({
      table: 'act',
      values: { position: 7, at: 70, kind: 'push', witness: 'git', uncertain: true },
    });
    const values = row?.values as { command: string; commandSha256: string };
    expect([command.startsWith(values.command), values.command.length < command.length]).toEqual([
      true,
      true,
    ]);
    expect(values.commandSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of a request hold neither its input nor its words', async () => {
    const rows = await rowsOf({
      type: 'approval/requested',
      request: {
        requestId: REQUEST,
        turnId: TURN,
        toolId: 't',
        kind: 'tool',
        toolName: 'Bash',
        input: { text: 'a very private command', truncated: null },
        summary: 'a very private command',
        acts: ['push'],
        questions: [],
        suggestions: [],
        requestedAt: 1,
        expiresAt: 9,
      },
    });
    expect(rows).toMatchObject([
      { table: 'approvalRequest', values: { acts: ['push'], expiresAt: 9 } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('private');
  });

  it('of a decision say who took it and where, not who launched the session', async () => {
    const other = actorId.parse('usr_other');
    const answer = approvalAnswer.parse({ decision: 'deny', message: 'private reason' });
    const rows = await rowsOf({
      type: 'approval/decided',
      requestId: REQUEST,
      answer,
      actorId: other,
      channel: 'cli',
    });
    expect(rows).toMatchObject([
      { values: { actorId: other, origin: 'person', decision: 'deny', channel: 'cli' } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('private');
  });

  it('of a resolution are the engine’s', async () => {
    const rows = await rowsOf({
      type: 'approval/resolved',
      requestId: REQUEST,
      resolution: 'expired',
    });
    expect(rows).toMatchObject([{ values: { origin: 'engine', decision: 'expired' } }]);
  });

  it('of text and tools are none', async () => {
    const entries = [...readyEvents(TURN), text('x'), turnEnded(TURN)].map((event, index) => ({
      position: index + 1,
      at: 1,
      seq: index + 1,
      event,
    }));
    expect(await decideAllRows(SOURCE, VIEW, entries)).toEqual([]);
  });
});

describe('the row of a session', () => {
  it('says what the list shows, and calls a rehearsal one', () => {
    const row = sessionRow(SOURCE, VIEW, 3);
    expect(row).toMatchObject({
      title: 'Fix the test',
      rehearsal: true,
      state: 'queued',
      position: 3,
    });
  });

  it('says how much power the session holds, once its checkout is made', () => {
    const grade = { grade: 'sealed', reason: 'It can.' } as const;
    expect(sessionRow(SOURCE, VIEW, 3).grade).toBeNull();
    const view = viewAfter(created(), checkoutPrepared({ grade }));
    expect(sessionRow(SOURCE, view, 4).grade).toBe('sealed');
  });

  it('follows the view', () => {
    const row = sessionRow(SOURCE, viewAfter(created(), ...readyEvents(TURN)), 6);
    expect(row.state).toBe('working');
  });
});
