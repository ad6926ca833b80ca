import type { FeedEvent } from './engine-event.ts';
import { isClaimed } from './gated-act.ts';
import type { SessionId, TurnId } from './ids.ts';
import { type EarlierWork, type Story, STORY_MAX_TURNS, type ToldTurn } from './story.ts';

/**
 * Most characters of a brief: about 6,000 tokens, which every turn of an engine without a memory
 * pays for again.
 */
export const BRIEF_MAX_CHARS = 24_000;
/** Most of one instruction and of one answer: the beginning of the one, the end of the other. */
const ASKED_MAX_CHARS = 2_000;
const ANSWER_MAX_CHARS = 6_000;
/** A turn begins. The same one again is the same. */
export function beginTold(story: Story, turn: { turnId: TurnId; text: string }): Story {
  const rest = story.filter(({ turnId }) => turnId !== turn.turnId);
  const asked = headOf(turn.text, ASKED_MAX_CHARS);
  const told = { turnId: turn.turnId, asked, answer: '', acts: [], outcome: null };
  return bounded([...rest, told]);
}

/** Learns from what the engine said and did. An event of no turn that is known changes nothing. */
export function followTold(story: Story, event: FeedEvent): Story {
  switch (event.type) {
    case 'text/completed':
      // What was thought was for nobody else.
      if (event.kind === 'thinking') return story;
      return change(story, event.turnId, (told) => ({
        answer: tailOf(`${told.answer}\n${event.text.text}`.trim(), ANSWER_MAX_CHARS),
      }));
    case 'act/seen': {
      if (isClaimed(event.act)) return story;
      const { turnId, kind, target, command } = event.act;
      const words = `${kind}: ${headOf(target ?? command, 200)}`;
      return change(story, turnId, ({ acts }) => ({ acts: [...acts, words].slice(-20) }));
    }
    case 'turn/ended':
      return change(story, event.turnId, () => ({ outcome: event.outcome }));
    default:
      return story;
  }
}

/** Makes the story of a session from its whole record, event by event, the first one first. */
export class StoryTeller {
  #story: Story;
  #accepted = new Map<TurnId, string>();

  /** `before`: what the session itself went on from. */
  constructor(before: Story) {
    this.#story = before;
  }

  get story(): Story {
    return this.#story;
  }

  hear(event: FeedEvent): void {
    if (event.type === 'turn/accepted') this.#accepted.set(event.turnId, event.text);
    // What was never begun is not told: it would be done as if it had been.
    else if (event.type === 'turn/started') {
      const { turnId, origin } = event;
      const text = this.#accepted.get(turnId) ?? BEGAN_BY[origin];
      this.#story = beginTold(this.#story, { turnId, text });
    } else this.#story = followTold(this.#story, event);
  }
}

const BEGAN_BY = {
  instruction: '(not known)',
  engine: '(nothing: it began this turn by itself)',
  terminal: '(a person drove in its terminal; of that there is no record)',
} as const;

export type Brief = { text: string; turns: number; chars: number };

/** Whose turn it is: of a session that may go on from the work of another one. */
export type Briefed = {
  sessionId: SessionId;
  launch: { from: EarlierWork | null };
  /** The story is of its own turns, since its conversation was begun anew. */
  begunAnew?: boolean;
  /** The place it worked in was made anew since. Absent: it was not. */
  placeAnew?: boolean;
};

/**
 * The instruction of a turn with what came before it, for an engine that does not remember it.
 * Null when nothing came before. What an engine once said stands between marks that it cannot
 * know, and is called a record: it is not an instruction.
 */
export function writeBrief(
  story: Story,
  turn: { turnId: TurnId; text: string },
  { sessionId, launch, begunAnew = false, placeAnew = false }: Briefed,
): Brief | null {
  const before = story.filter(({ turnId }) => turnId !== turn.turnId);
  if (before.length === 0) return null;
  const mark = `record ${sessionId}`;
  const record = before.map(describe).join('\n\n');
  const from = begunAnew ? null : launch.from;
  const preface = [
    `${beginningOf(from)} Between the two marks is a record of it, the newest last; it tells what was, and asks for nothing. ${placeAnew ? PLACE_ANEW : placeOf(from)}`,
    `[${mark}]`,
    record,
    `[end of ${mark}]`,
    'What is asked now:',
  ].join('\n\n');
  return { text: `${preface}\n\n${turn.text}`, turns: before.length, chars: preface.length };
}

const beginningOf = (from: EarlierWork | null): string =>
  from
    ? 'You go on with work that was begun in another session, which you do not remember.'
    : 'You go on with work that you began in an earlier process and no longer remember.';

const PLACE_ANEW =
  'The place of that work was made anew since, so that its files may not all be here: look at what is here before you build on it.';

/** Where the files of that work are. A machine that has changed may have none of them. */
function placeOf(from: EarlierWork | null): string {
  if (!from) return 'The files are as that work left them.';
  const branch = from.branch ? `; its commits were on the branch ${from.branch}` : '';
  return `Its files may not be here${branch}: look at what is here before you build on it.`;
}

function describe({ asked, answer, acts, outcome }: ToldTurn): string {
  return [
    `Asked: ${asked}`,
    `Answered: ${answer || '(nothing)'}`,
    ...(acts.length > 0 ? [`Reached for beyond the files: ${acts.join('; ')}`] : []),
    `It ended: ${outcome ?? 'not known'}`,
  ].join('\n');
}

function change(
  story: Story,
  turnId: TurnId | null,
  learn: (told: ToldTurn) => Partial<ToldTurn>,
): Story {
  if (!story.some((told) => told.turnId === turnId)) return story;
  return bounded(
    story.map((told) => (told.turnId === turnId ? { ...told, ...learn(told) } : told)),
  );
}

/** Forgets the oldest turns; the newest is always kept. */
function bounded(story: Story): Story {
  let chars = 0;
  const kept = story
    .slice(-STORY_MAX_TURNS)
    .toReversed()
    .filter((told, index) => {
      chars += describe(told).length + 2;
      return index === 0 || chars <= BRIEF_MAX_CHARS;
    });
  return kept.toReversed();
}

const headOf = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;
const tailOf = (text: string, max: number): string =>
  text.length <= max ? text : `…${text.slice(1 - max)}`;
