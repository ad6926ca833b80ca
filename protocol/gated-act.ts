import { z } from 'zod';
import { actDecider, actOutcome, type ActSeen } from './act.ts';
import type { ActWitness } from './witness.ts';

/** How an act ended; the outcome is null while it is under way. */
export const actEnd = z.object({
  outcome: actOutcome.nullable(),
  /** Who decided that, and why, where it was the policy or the forge. */
  decidedBy: actDecider.nullable(),
  reason: z.string().nullable(),
});
export type ActEnd = z.infer<typeof actEnd>;
export const NOT_ENDED: ActEnd = { outcome: null, decidedBy: null, reason: null };

/** One ref of a push that the stream claims, as the gate told of it. */
export const gateRef = z.object({ command: z.string(), end: actEnd });
export type GateRef = z.infer<typeof gateRef>;

/** The end of an act as its event tells it. */
export const endOf = (event: {
  outcome: ActEnd['outcome'];
  by?: ActEnd['decidedBy'] | undefined;
  reason?: string | undefined;
}): ActEnd => ({
  outcome: event.outcome,
  decidedBy: event.by ?? null,
  reason: event.reason ?? null,
});

/**
 * What became of an act that the stream claims and the gate saw: what the gate says. An exit status
 * tells of a command line, the gate of each ref. One ref that moved is an act that was done, with
 * why others of it were not. Pure.
 */
export function decideEnd(own: ActEnd, refs: readonly GateRef[]): ActEnd {
  const ends = refs.map(({ end }) => end).filter(({ outcome }) => outcome !== null);
  const refused = ends.find(({ outcome }) => outcome === 'not_done');
  const whole =
    ends.find(({ outcome }) => outcome === 'done') ??
    ends.find(({ outcome }) => outcome === 'unknown') ??
    refused;
  if (!whole) return own;
  const { decidedBy, reason } = refused ?? whole;
  return { outcome: whole.outcome, decidedBy, reason };
}

/** What the gate says of one ref, beside what the stream claims. */
export function witnessOfGate({ command, end }: GateRef): ActWitness {
  return { by: 'gate', finding: 'judged', move: null, evidence: sayRef(command, end) };
}

function sayRef(command: string, { outcome, decidedBy, reason }: ActEnd): string {
  switch (outcome) {
    case 'done':
      return `The gate passed it on: ${command}`;
    case 'not_done': {
      const who = decidedBy === 'forge' ? 'The forge' : 'The gate';
      return `${who} refused ${command}${reason === null ? '' : `: ${reason}`}`;
    }
    case 'unknown':
      return `The gate passed it on, and what became of it is not known: ${command}`;
    case null:
      return `The gate judges it: ${command}`;
    default:
      return outcome satisfies never;
  }
}

/** What is shown of an act that the gate may have judged. */
type Shown = ActEnd & { gate: readonly GateRef[]; witnesses: readonly ActWitness[] };

/** An act with one more ref of it that the gate judged, or with a later word on one. */
export function addGateRef<T extends Shown>(act: T, ref: GateRef): T {
  const before = act.gate.find(({ command }) => command === ref.command);
  const stale = before && witnessOfGate(before).evidence;
  const gate = [...act.gate.filter((each) => each !== before), ref];
  const others = act.witnesses.filter(({ evidence }) => evidence !== stale);
  const witnesses = [...others, witnessOfGate(ref)];
  return { ...act, ...decideEnd(act, gate), gate, witnesses };
}

/** An act of the gate that somebody claimed: told with its claim, and counted there. */
export const isClaimed = ({ claimId }: Pick<ActSeen, 'claimId'>): boolean => claimId !== undefined;
