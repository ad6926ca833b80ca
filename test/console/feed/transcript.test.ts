// @vitest-environment node
import { actId } from '../../../protocol/ids.ts';
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { commandId } from '../../../protocol/ids.ts';
import type { ApprovalItem, Item, ToolItem } from '../../../console/feed/items.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../console/feed/transcript.ts';
import {
  ACT,
  eventsAfterApproval,
  eventsUntilApproval,
  REQUEST,
  TURN,
} from '../../../console/mock/sentinels.ts';
import { entriesOf, OTHER_TURN } from '../../support/protocol-builders.ts';

const read = (events: readonly FeedEvent[]) =>
  reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events)).items;

const tool = (items: readonly Item[], toolId: string) =>
  items.find((item): item is ToolItem => item.kind === 'tool' && item.toolId === toolId);

const approval = (items: readonly Item[]) =>
  items.find((item): item is ApprovalItem => item.kind === 'approval');

describe('a transcript', () => {
  it('has the work of a turn between its head and its end', () => {
    const items = read([...eventsUntilApproval(), ...eventsAfterApproval()]);
    expect(items.map((item) => item.kind)).toEqual([
      'note',
      'note',
      'note',
      'note',
      'turn',
      'text',
      'tool',
      'tool',
      'approval',
      'turnEnd',
      'note',
    ]);
  });

  it('completes a tool call where it began', () => {
    const before = tool(read(eventsUntilApproval()), 'tool-push');
    expect(before?.ended).toBeNull();
    const after = tool(read([...eventsUntilApproval(), ...eventsAfterApproval()]), 'tool-push');
    expect(after?.ended?.exitCode).toBe(0);
  });

  it('marks an act on the call that carried it, and what became of it', () => {
    const items = read([...eventsUntilApproval(), ...eventsAfterApproval()]);
    expect(tool(items, 'tool-push')?.acts).toMatchObject([
      { outcome: 'done', act: { actId: ACT } },
    ]);
  });

  it('shows an act that only its effect betrays by itself', () => {
    const seen = eventsUntilApproval().find((event) => event.type === 'act/seen');
    if (seen?.type !== 'act/seen') throw new Error('no act in the record');
    const act = { ...seen.act, toolId: null, witness: 'git' as const };
    const items = read([
      { type: 'act/seen', act },
      { type: 'act/ended', actId: act.actId, outcome: 'unknown' },
    ]);
    expect(items).toMatchObject([{ kind: 'act', marked: { outcome: 'unknown' } }]);
  });

  it('tells what the gate saw of a claimed push on the claim, and of nothing else', () => {
    const claimed = eventsUntilApproval().find((event) => event.type === 'act/seen');
    if (claimed?.type !== 'act/seen') throw new Error('no act in the record');
    const gateId = actId.parse('act_gate');
    const act = {
      ...claimed.act,
      actId: gateId,
      toolId: null,
      command: 'git push origin abc:refs/heads/main',
      witness: 'gate' as const,
      claimId: claimed.act.actId,
    };
    const reason = 'main is protected';
    const items = read([
      ...eventsUntilApproval(),
      { type: 'act/seen', act },
      { type: 'act/ended', actId: gateId, outcome: 'not_done', by: 'policy', reason },
      { type: 'act/ended', actId: claimed.act.actId, outcome: 'done' },
      {
        type: 'act/witnessed',
        actId: gateId,
        by: 'git',
        finding: 'confirmed',
        move: null,
        evidence: 'of git',
      },
    ]);
    expect(items.filter(({ kind }) => kind === 'act')).toEqual([]);
    expect(tool(items, 'tool-push')?.acts).toMatchObject([
      {
        act: { actId: claimed.act.actId },
        outcome: 'not_done',
        decidedBy: 'policy',
        reason,
        witnesses: [
          { by: 'gate', evidence: `The gate refused ${act.command}: ${reason}` },
          { by: 'git' },
        ],
      },
    ]);
  });

  it('follows an approval from asked to answered to confirmed', () => {
    const decided: FeedEvent = {
      type: 'approval/decided',
      requestId: REQUEST,
      answer: { decision: 'deny', message: 'Not yet', answers: null, suggestion: null },
      actorId: 'usr_local' as never,
      channel: 'cli',
    };
    const resolved: FeedEvent = {
      type: 'approval/resolved',
      requestId: REQUEST,
      resolution: 'denied',
    };
    expect(approval(read(eventsUntilApproval()))).toMatchObject({ answer: null, decidedAt: null });
    const item = approval(read([...eventsUntilApproval(), decided, resolved]));
    expect(item).toMatchObject({
      channel: 'cli',
      resolution: 'denied',
      answer: { message: 'Not yet' },
    });
    // The time of the answer, neither of the question nor of its confirmation.
    const asked = eventsUntilApproval().length;
    expect(item?.decidedAt).toBe(entriesOf([...eventsUntilApproval(), decided])[asked]?.at);
  });

  it('takes an answer back that did not arrive, so that it can be given again', () => {
    const decided: FeedEvent = {
      type: 'approval/decided',
      requestId: REQUEST,
      answer: { decision: 'allow', message: null, answers: null, suggestion: null },
      actorId: 'usr_local' as never,
      channel: 'console',
    };
    const failed: FeedEvent = {
      type: 'command/failed',
      commandId: commandId.parse('cmd_a'),
      method: 'session/answer',
      turnId: null,
      requestId: REQUEST,
      code: 'expired',
      message: 'It waited too long.',
    };
    const items = read([...eventsUntilApproval(), decided, failed]);
    expect(approval(items)?.answer).toBeNull();
    expect(items.at(-1)).toMatchObject({ kind: 'note', event: { message: 'It waited too long.' } });
  });

  it('gives an instruction that was not delivered a place of its own', () => {
    const items = read([
      ...eventsUntilApproval(),
      {
        type: 'turn/accepted',
        turnId: OTHER_TURN,
        text: 'And then?',
        actorId: 'usr_local' as never,
      },
      { type: 'turn/delivered', turnId: OTHER_TURN, delivery: 'undelivered', reason: 'no' },
    ]);
    expect(items.at(-1)).toMatchObject({ kind: 'turn', turnId: OTHER_TURN });
  });

  it('replaces only the items that changed', () => {
    const before = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(eventsUntilApproval()));
    const more = entriesOf([...eventsUntilApproval(), ...eventsAfterApproval()]).slice(
      before.items.length + 3,
    );
    const after = reduceTranscript(before, more);
    const edit = `tool:tool-edit`;
    expect(after.items[after.places.get(edit) ?? -1]).toBe(
      before.items[before.places.get(edit) ?? -1],
    );
    expect(before.items).toHaveLength(9);
  });

  it('is the same object when nothing came', () => {
    expect(reduceTranscript(EMPTY_TRANSCRIPT, [])).toBe(EMPTY_TRANSCRIPT);
  });

  it('heads a turn that only its end tells of', () => {
    const ended: FeedEvent = {
      type: 'turn/ended',
      turnId: TURN,
      outcome: 'killed',
      error: null,
      durationMs: 5,
      usage: 'unsettled',
      acts: 'none',
    };
    expect(read([ended]).map((item) => item.kind)).toEqual(['turn', 'turnEnd']);
  });
});
