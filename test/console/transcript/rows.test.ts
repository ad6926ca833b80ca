// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { wholeText } from '../../../protocol/text.ts';
import { addDeltas, NO_LIVE_TEXT } from '../../../console/feed/live-text.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../console/feed/transcript.ts';
import { arrangeItems, listRows, type Row } from '../../../console/transcript/rows.ts';
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

function rowsOf(events: readonly FeedEvent[], chosen: ReadonlyMap<string, boolean> = NONE): Row[] {
  const { items } = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events));
  return listRows(arrangeItems(items), NO_LIVE_TEXT, [], chosen);
}

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
    const live = addDeltas(
      NO_LIVE_TEXT,
      [
        {
          sessionId: SESSION,
          turnId: TURN,
          blockId: 'b9',
          parentToolId: null,
          kind: 'answer',
          offset: 0,
          text: 'so',
        },
      ],
      new Map(),
    );
    const rows = listRows(arrangeItems([]), live, [], NONE);
    expect(rows).toMatchObject([{ kind: 'live', key: 'text:b9' }]);
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
    const read = (events: readonly FeedEvent[]) => {
      const { items } = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events));
      return shape(listRows(arrangeItems(items), NO_LIVE_TEXT, viewAfter(...events).turns, NONE));
    };
    expect(read([created, waiting])).toEqual([`queued:${OTHER_TURN}`]);
    expect(read([created, waiting, lost])).toEqual([`0:turn:${OTHER_TURN}`]);
  });
});
