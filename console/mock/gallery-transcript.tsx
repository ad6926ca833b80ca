import { useState } from 'react';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { sessionId, turnId } from '../../protocol/ids.ts';
import { LOCAL_ACTOR } from '../../protocol/ids.ts';
import { wholeText } from '../../protocol/text.ts';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../feed/transcript.ts';
import { NO_LIVE_TEXT } from '../feed/live-text.ts';
import { RowView } from '../transcript/row-view.tsx';
import { arrangeItems } from '../transcript/arrange.ts';
import { addComing, listRows } from '../transcript/rows.ts';
import { MockRecord } from './record.ts';
import { eventsAfterApproval, eventsUntilApproval, LAUNCH, TURN } from './sentinels.ts';

const OUTCOMES = ['failed', 'denied', 'interrupted', 'unknown'] as const;
const DELIVERIES = ['received', 'handed', 'unknown', 'undelivered'] as const;

const calls: FeedEvent[] = OUTCOMES.flatMap((outcome): FeedEvent[] => [
  {
    type: 'tool/started',
    turnId: TURN,
    toolId: `tool-${outcome}`,
    parentToolId: null,
    name: 'Bash',
    summary: `make ${outcome}`,
    input: wholeText(`{"command":"make ${outcome}"}`),
  },
  {
    type: 'tool/ended',
    toolId: `tool-${outcome}`,
    outcome,
    exitCode: outcome === 'failed' ? 2 : null,
    output: wholeText(`\u001b[31m${outcome}\u001b[0m\n${'line\n'.repeat(60)}`),
    files: [],
    durationMs: 3_200,
  },
]);

const queued: FeedEvent[] = DELIVERIES.flatMap((delivery, index): FeedEvent[] => {
  const id = turnId.parse(`trn_gallery${index}`);
  return [
    {
      type: 'turn/accepted',
      turnId: id,
      text: `An instruction: ${delivery}`,
      actorId: LOCAL_ACTOR,
    },
    { type: 'turn/delivered', turnId: id, delivery, reason: null },
  ];
});

const stopped: FeedEvent = {
  type: 'engine/exited',
  launchId: LAUNCH,
  exitCode: 137,
  signal: null,
  expected: false,
  stderrTail: ['the engine’s last words'],
};

const RECORD = new MockRecord(
  sessionId.parse('ses_gallery'),
  [...eventsUntilApproval(), ...calls, ...eventsAfterApproval(), stopped, ...queued],
  1_700_000_000_000,
);

/** A record in which everything happened once, drawn whole. */
export function GalleryTranscript() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const transcript = reduceTranscript(EMPTY_TRANSCRIPT, RECORD.entries);
  const rows = listRows(arrangeItems(transcript), chosen);
  return (
    <div className="rounded-md border">
      {addComing(rows, NO_LIVE_TEXT, RECORD.view.turns, transcript, chosen).map((row) => (
        <RowView
          key={row.key}
          row={row}
          view={RECORD.view}
          presence="online"
          chosen={chosen}
          answerInPlace
          toggle={(key, open) => setChosen(new Map(chosen).set(key, !open))}
        />
      ))}
    </div>
  );
}
