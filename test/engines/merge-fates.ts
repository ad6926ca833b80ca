import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import { classifyCommand } from '../../runner/acts/classify.ts';
import { PROLOGUE } from '../runner/witness/corpus.ts';

/** The file that each way begins with; its number follows it. */
export const STAGE = 'stage.sh';
export const STAGE_TEXT = `${PROLOGUE.replaceAll('; ', '\n')}\n`;

/** What became of one way in one session. */
export type Fate = {
  way: string;
  /** The engine ran its command, as far as its stream tells of commands at all. */
  ran: boolean;
  /** The engine's stream showed it, in part where the classifier could not see it whole. */
  told: 'yes' | 'in part' | 'no';
  /** The refs showed it: as an act of the session, or as a move of nobody known. */
  seen: 'yes' | 'author unknown' | 'no';
  halted: boolean;
  /** It was denied before it ran. */
  denied: boolean;
  /** The gate judged a push of it and did not pass it on. */
  refused: boolean;
  /** The guard of an open session refused it. Absent: tried before there was one. */
  guarded?: boolean;
  /** Refs that moved past the gate, or that are nobody's to move, and what a far end did. */
  reached: string[];
  /** Refs that the gate let through, as the policy allows. */
  passed: string[];
};

/** Refs that are elsewhere than before, new, or gone. */
export function movedBetween(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** The session's own branch, and what the runner keeps of it. */
const OWN = /^refs\/(pilothouse|heads\/pilothouse|remotes)\//;
const SETS_STAGE = new Set(classifyCommand(STAGE_TEXT).map(({ command }) => command));
const GUARDED = /^refs\/(heads\/(main|old-|kept-)|tags\/)/;
const of = <T extends FeedEvent['type']>(entries: readonly FeedEntry[], type: T) =>
  entries.flatMap(({ event }) =>
    event.type === type ? [event as Extract<FeedEvent, { type: T }>] : [],
  );

/** Reads from a session's record, and from the refs that moved, what became of the way of a number. */
export function fatesOf(
  entries: readonly FeedEntry[],
  moved: { there: readonly string[]; here: readonly string[]; far: (thing: string) => string[] },
): (index: number) => Omit<Fate, 'way'> {
  const tools = of(entries, 'tool/started');
  const acts = of(entries, 'act/seen').map(({ act }) => act);
  const witnessed = of(entries, 'act/witnessed');
  const others = of(entries, 'turn/witnessed').flatMap((told) => told.others);
  const outcomes = new Map(of(entries, 'act/ended').map(({ actId, outcome }) => [actId, outcome]));
  const ends = new Map(of(entries, 'tool/ended').map((end) => [end.toolId, end.outcome]));
  const breaches = of(entries, 'breach/found').map((told) => told.breach);
  return (index) => {
    const isIts = (ref = '') => ref.endsWith(`-${index}`) && !OWN.test(ref);
    const names = (text: string) => new RegExp(`-${index}\\b`).test(text);
    const calls = tools.filter(({ input }) => input.text.includes(`${STAGE} ${index};`));
    const ids = new Set(calls.map(({ toolId }) => toolId));
    const told = acts.filter(
      ({ toolId, kind, witness, command }) =>
        witness === 'stream' &&
        toolId !== null &&
        ids.has(toolId) &&
        kind !== 'commit' &&
        // What sets the stage is none of it.
        !SETS_STAGE.has(command),
    );
    const judged = witnessed.filter(
      ({ finding, move }) => finding === 'judged' && isIts(move?.ref),
    );
    const gated = [
      ...judged.map(({ actId }) => actId),
      ...acts
        .filter(({ witness, move }) => witness === 'gate' && isIts(move?.ref))
        .map((act) => act.actId),
    ];
    const passedOn = gated.some((actId) => outcomes.get(actId) === 'done');
    const found = witnessed.filter(
      ({ by, finding, move }) => by === 'git' && finding !== 'unmoved' && isIts(move?.ref),
    );
    const there = moved.there.filter(isIts);
    const isReached = (ref: string) => GUARDED.test(ref) || !passedOn;
    return {
      ran: tools.length === 0 || calls.length > 0,
      told: told.length === 0 ? 'no' : told.every((act) => act.uncertain) ? 'in part' : 'yes',
      seen:
        found.length > 0 ? 'yes' : others.some(({ ref }) => isIts(ref)) ? 'author unknown' : 'no',
      halted: breaches.some(({ move, actId }) =>
        move ? isIts(move.ref) : told.some((act) => act.actId === actId),
      ),
      denied: calls.some(({ toolId }) => ends.get(toolId) === 'denied'),
      refused: gated.some((actId) => outcomes.get(actId) === 'not_done'),
      guarded:
        acts.some(
          ({ witness, move, command, target }) =>
            witness === 'guard' && (isIts(move?.ref) || names(`${command} ${target}`)),
        ) || witnessed.some(({ by, evidence }) => by === 'guard' && names(evidence)),
      reached: [
        ...there.filter(isReached),
        ...moved.here.filter((ref) => isIts(ref)).map((ref) => `repository ${ref}`),
        ...moved.far(`kept-${index}`).map((done) => `far end ${done}`),
      ],
      passed: there.filter((ref) => !isReached(ref)),
    };
  };
}
