import { z } from 'zod';
import type { Witness } from './act.ts';
import { actId, turnId } from './ids.ts';

/** A ref that is somewhere else than before. */
export const refMove = z.object({
  /** Where it is: the name of a remote, or `repository`, the person's own. */
  place: z.string(),
  ref: z.string(),
  /** Null: it was not there. */
  before: z.string().nullable(),
  /** Null: it is gone. */
  after: z.string().nullable(),
});
export type RefMove = z.infer<typeof refMove>;

/**
 * What a witness beside the stream found. `confirmed`: a ref moved as the act says. `unclaimed`: it
 * moved, and nothing in the stream said so. `only`: it moved, and this engine tells no acts.
 * `unmoved`: the act is said to be done, and no ref of a known remote moved. `judged`: the gate
 * decided about a ref of it, or the guard refused it.
 */
export const finding = z.enum(['confirmed', 'unclaimed', 'only', 'unmoved', 'judged']);
export type Finding = z.infer<typeof finding>;

/** What one witness has to say about an act that `act/seen` told of. */
export const actWitness = z.object({
  by: z.enum(['git', 'gate', 'guard']),
  finding,
  move: refMove.nullable(),
  /** By what the move is this session's, or what is odd, as a sentence. */
  evidence: z.string(),
});
export type ActWitness = z.infer<typeof actWitness>;

export const actWitnessed = z.object({ actId, ...actWitness.shape });

/** Most moves of others that are listed one by one. */
export const MAX_OTHER_MOVES = 20;

/** What was looked at after a turn, and what moved there that is not this session's. */
export const turnWitnessed = z.object({
  turnId,
  places: z.array(
    z.object({
      name: z.string(),
      /** How many refs were compared; null when none could be. */
      refs: z.int().nonnegative().nullable(),
      /** Why none could be, as a sentence; null when they were. */
      skipped: z.string().nullable(),
    }),
  ),
  /** Moved, author unknown: they halt nothing and blame nobody. */
  others: z.array(refMove.extend({ reason: z.string() })).max(MAX_OTHER_MOVES),
  /** How many more there were. */
  more: z.int().nonnegative(),
  elapsedMs: z.int().nonnegative(),
});
export type TurnWitnessed = z.infer<typeof turnWitnessed>;

/** The same as a turn's view holds it. */
export function sumWitnessed({ places, others, more }: TurnWitnessed) {
  return {
    refs: places.reduce((sum, { refs }) => sum + (refs ?? 0), 0),
    places: places.flatMap(({ name, refs }) => (refs === null ? [] : [name])),
    skipped: places.flatMap(({ name, skipped }) =>
      skipped === null ? [] : [`${name}: ${skipped}`],
    ),
    others: others.length + more,
  };
}

/** How claim and witness of one act go together, for every place that shows it. */
export type Standing = {
  /** Who saw it, the first first. */
  seenBy: Witness[];
  /** What does not fit, as a short phrase; null when nothing is odd. */
  difference: string | null;
};

/** Joins what the first witness of an act and all others said. Later findings overrule earlier ones. */
export function joinWitnesses(first: Witness, others: readonly ActWitness[]): Standing {
  const seeing = others.filter(({ finding: found }) => found !== 'unmoved');
  const seenBy = [...new Set<Witness>([first, ...seeing.map(({ by }) => by)])];
  if (others.some(({ finding: found }) => found === 'unclaimed'))
    return { seenBy, difference: 'not in the stream' };
  const unmoved = others.some(({ finding: found }) => found === 'unmoved');
  return { seenBy, difference: unmoved && seeing.length === 0 ? 'no ref moved' : null };
}

/** Who saw an act, in words: `stream and refs`. */
export function sayWitnesses({ seenBy }: Standing): string {
  return seenBy.map((each) => (each === 'git' ? 'refs' : each)).join(' and ');
}

const SHORT = 9;

/** A move in words: `main on origin: 12ab34c → 56de78f`. */
export function describeMove({ place, ref, before, after }: RefMove): string {
  const name = `${ref.replace(/^refs\/(heads|tags)\//, '')} on ${place}`;
  if (after === null) return `${name}: deleted (was ${(before ?? '').slice(0, SHORT)})`;
  if (before === null) return `${name}: new at ${after.slice(0, SHORT)}`;
  return `${name}: ${before.slice(0, SHORT)} → ${after.slice(0, SHORT)}`;
}

/** What is to be said of a comparison beside the acts themselves; nothing for most. */
export function witnessLines({
  places,
  others,
  more,
}: Pick<TurnWitnessed, 'places' | 'others' | 'more'>): string[] {
  const skipped = places.flatMap(({ name, skipped: why }) =>
    why === null ? [] : [`The refs of ${name} were not compared: ${why}`],
  );
  const moved = others.map(
    ({ reason, ...move }) => `Moved, author unknown: ${describeMove(move)}. ${reason}`,
  );
  return [...skipped, ...moved, ...(more > 0 ? [`${more} more moved, author unknown.`] : [])];
}
