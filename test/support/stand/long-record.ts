import { aLaunch } from '../../../console/mock/sentinels.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, turnId } from '../../../protocol/ids.ts';
import { wholeText } from '../../../protocol/text.ts';
import { aUsage } from '../protocol-builders.ts';
import { accepted, ended, said, started, toolEnded, toolStarted } from '../transcript-events.ts';

/** What a turn works through: it says something, calls a tool, is given its output. */
const STEPS = 32;
/** Events of a turn beside its steps: taken, handed over, begun, paid for, over. */
export const EVENTS_PER_TURN = STEPS * 3 + 5;

const output = Array.from({ length: 20 }, (_, line) => `✓ sails ${line} hoist in time (3 ms)`);

/**
 * The record of a session that worked for a week: `count` events at least, in whole turns, with
 * Markdown, code and outputs of the size that engines give.
 */
export function aLongRecord(count: number): FeedEvent[] {
  const events: FeedEvent[] = [
    { type: 'session/created', launch: aLaunch(), actorId: LOCAL_ACTOR },
  ];
  for (let turn = 0; events.length < count; turn++) events.push(...turnOf(turn));
  return events;
}

function turnOf(turn: number): FeedEvent[] {
  const of = { turnId: turnId.parse(`trn_long${turn}`) };
  return [
    accepted({ ...of, text: `Trim sail ${turn} and run its tests` }),
    { type: 'turn/delivered', ...of, delivery: 'received', reason: null },
    started(of),
    ...Array.from({ length: STEPS }, (_, step) => stepOf(of, `${turn}-${step}`)).flat(),
    { type: 'usage/recorded', ...of, entries: [aUsage({ inputTokens: 4_000 + turn })] },
    ended(of),
  ];
}

/** One step of a turn, under a name that is its own. */
export function stepOf(of: Pick<ReturnType<typeof started>, 'turnId'>, name: string): FeedEvent[] {
  const text = `Step **${name}** of the sails:\n\n- hoist\n- trim\n\n\`\`\`ts\nhoist('${name}');\n\`\`\`\n`;
  return [
    said(text, { ...of, blockId: `block-${name}` }),
    toolStarted({ ...of, toolId: `tool-${name}`, summary: `npm test -- sails/${name}` }),
    toolEnded({ toolId: `tool-${name}`, output: wholeText(output.join('\n')) }),
  ];
}
