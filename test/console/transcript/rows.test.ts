// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { wholeText } from '../../../protocol/text.ts';
import { addDeltas, NO_LIVE_TEXT } from '../../../console/feed/live-text.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../console/feed/transcript.ts';
import type { LiveText } from '../../../console/feed/live-text.ts';
import { arrangeItems } from '../../../console/transcript/arrange.ts';
import { addComing, keepFolds, listRows, type Row } from '../../../console/transcript/rows.ts';
import type { TurnView } from '../../../protocol/session-view.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import {
  entriesOf,
  OTHER_TURN,
  SESSION,
  TURN,
  viewAfter,
} from '../../support/protocol-builders.ts';

const NONE = new Map<string, boolean>();

const call = (toolId: string, parentToolId: string | null): FeedEvent => ({
  type: 'tool/started',
  turnId: TURN,
  toolId,
  parentToolId,
  name: 'Task',
  summary: toolId,
  input: wholeText('{}'),
});

function rowsOf(
  events: readonly FeedEvent[],
  chosen: ReadonlyMap<string, boolean> = NONE,
  live: LiveText = NO_LIVE_TEXT,
  turns: readonly TurnView[] = [],
): readonly Row[] {
  const transcript = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events));
  return addComing(listRows(arrangeItems(transcript), chosen), live, turns, transcript, chosen);
}

const speaks = (blockId: string, parentToolId: string | null): LiveText =>
  addDeltas(
    NO_LIVE_TEXT,
    [
      {
        sessionId: SESSION,
        turnId: TURN,
        blockId,
        parentToolId,
        kind: 'answer',
        offset: 0,
        text: 'so',
      },
    ],
    new Map(),
  );

const shape = (rows: readonly Row[]) =>
  rows.map((row) => (row.kind === 'item' ? `${row.depth}:${row.key}` : row.key));

describe('the rows of a transcript', () => {
  it('leave the launch to its own place', () => {
    const kinds = rowsOf(eventsUntilApproval()).map((row) => row.kind === 'item' && row.item.kind);
    expect(kinds).toEqual(['note', 'turn', 'text', 'tool', 'tool', 'approval']);
  });

  it('fold a subagent’s work into the call that started it, and count its steps', () => {
    const events = [call('agent', null), call('a', 'agent'), call('b', 'agent')];
    const rows = rowsOf(events);
    expect(shape(rows)).toEqual(['0:tool:agent']);
    expect(rows[0]).toMatchObject({ children: 2 });
    const open = new Map([['tool:agent', true]]);
    expect(shape(rowsOf(events, open))).toEqual(['0:tool:agent', '1:tool:a', '1:tool:b']);
  });

  it('show work whose call is not in the record rather than losing it', () => {
    expect(shape(rowsOf([call('a', 'nobody')]))).toEqual(['0:tool:a']);
  });

  it('open a small change by itself and keep it closed once a person closed it', () => {
    const events = [...eventsUntilApproval(), ...eventsAfterApproval(), call('x', 'tool-edit')];
    expect(shape(rowsOf(events))).toContain('1:tool:x');
    expect(shape(rowsOf(events, new Map([['tool:tool-edit', false]])))).not.toContain('1:tool:x');
  });

  it('put text on its way at the end, under the key that its block will have', () => {
    const rows = rowsOf([], NONE, speaks('b9', null));
    expect(rows).toMatchObject([{ kind: 'live', key: 'text:b9' }]);
  });

  it('put what a subagent says behind all that it did, as long as its call is open', () => {
    const events = [call('agent', null), call('a', 'agent'), call('deep', 'a'), call('x', null)];
    const live = speaks('b9', 'agent');
    const open = new Map([
      ['tool:agent', true],
      ['tool:a', true],
    ]);
    expect(shape(rowsOf(events, open, live))).toEqual([
      '0:tool:agent',
      '1:tool:a',
      '2:tool:deep',
      'text:b9',
      '0:tool:x',
    ]);
    expect(shape(rowsOf(events, NONE, live))).toEqual(['0:tool:agent', '0:tool:x']);
    expect(
      shape(rowsOf([call('x', null)], new Map([['tool:x', true]]), speaks('b9', 'x'))),
    ).toEqual(['0:tool:x', 'text:b9']);
  });

  it('are the same list when a call is opened that nothing is below', () => {
    const foldsOf = keepFolds();
    const events = [call('agent', null), call('a', 'agent'), call('x', null)];
    const arranged = arrangeItems(reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events)));
    const before = foldsOf(arranged, NONE);
    expect(foldsOf(arranged, new Map([['tool:x', true]]))).toBe(before);
    const folded = foldsOf(arranged, new Map([['tool:agent', false]]));
    expect(folded).not.toBe(before);
    expect(foldsOf(arranged, new Map([['tool:agent', true]]))).not.toBe(folded);
  });

  it('end with what waits for its turn, and show nothing of it twice', () => {
    const [created, accepted] = eventsUntilApproval();
    if (!created || !accepted) throw new Error('the record is empty');
    const waiting: FeedEvent = {
      type: 'turn/accepted',
      turnId: OTHER_TURN,
      text: 'next',
      actorId: 'usr_local' as never,
    };
    const lost: FeedEvent = {
      type: 'turn/delivered',
      turnId: OTHER_TURN,
      delivery: 'undelivered',
      reason: 'away',
    };
    const read = (events: readonly FeedEvent[]) =>
      shape(rowsOf(events, NONE, NO_LIVE_TEXT, viewAfter(...events).turns));
    expect(read([created, waiting])).toEqual([`queued:${OTHER_TURN}`]);
    expect(read([created, waiting, lost])).toEqual([`0:turn:${OTHER_TURN}`]);
  });
});
