import type { ActSeen } from './act.ts';
import type { EventOf } from './engine-event.ts';
import {
  type ActEnd,
  addGateRef,
  decideEnd,
  endOf,
  type GateRef,
  isClaimed,
  NOT_ENDED,
} from './gated-act.ts';
import type { ActId } from './ids.ts';
import { type ActWitness, describeMove, joinWitnesses } from './witness.ts';
import type { RunAct } from './run-report.ts';

/** An act with everything that anybody said of it. */
type JoinedAct = ActEnd & {
  act: ActSeen;
  at: number;
  gate: readonly GateRef[];
  witnesses: readonly ActWitness[];
};

/** Joins the acts of a record: what the stream claims and what others saw of it is one act. */
export class ActCollector {
  readonly #acts = new Map<ActId, JoinedAct>();
  /** Acts that the gate saw of one that is claimed, until it says how they ended. */
  readonly #refs = new Map<ActId, { claimId: ActId; command: string }>();

  hear(event: EventOf<'act/seen' | 'act/ended' | 'act/witnessed'>, at: number): void {
    switch (event.type) {
      case 'act/seen':
        this.#seen(event.act, at);
        return;
      case 'act/ended':
        this.#ended(event);
        return;
      case 'act/witnessed': {
        const { type: _, actId, ...found } = event;
        this.#change(this.#refs.get(actId)?.claimId ?? actId, (held) => ({
          ...held,
          witnesses: [...held.witnesses, found],
        }));
        return;
      }
      default:
        event satisfies never;
    }
  }

  /** The acts so far, the first first. */
  list(): RunAct[] {
    return this.joined().map(toRunAct);
  }

  /** The same, with every word of every witness. */
  joined(): readonly JoinedAct[] {
    return [...this.#acts.values()];
  }

  #seen(act: ActSeen, at: number): void {
    if (this.#acts.has(act.actId)) return;
    // A claim that this record does not have is none: the act stands for itself.
    if (isClaimed(act) && act.claimId && this.#acts.has(act.claimId)) {
      this.#refs.set(act.actId, { claimId: act.claimId, command: act.command });
      // The gate knows where a pull request is, which the command that asks for one does not say.
      this.#change(act.claimId, (held) =>
        held.act.target === null ? { ...held, act: { ...held.act, target: act.target } } : held,
      );
      return;
    }
    this.#acts.set(act.actId, { ...NOT_ENDED, act, at, gate: [], witnesses: [] });
  }

  #ended(event: EventOf<'act/ended'>): void {
    const end = endOf(event);
    const ref = this.#refs.get(event.actId);
    if (ref) {
      this.#change(ref.claimId, (held) => addGateRef(held, { command: ref.command, end }));
      return;
    }
    this.#change(event.actId, (held) => ({ ...held, ...decideEnd(end, held.gate) }));
  }

  #change(actId: ActId, make: (held: JoinedAct) => JoinedAct): void {
    const held = this.#acts.get(actId);
    if (held) this.#acts.set(actId, make(held));
  }
}

function toRunAct({ act, at, outcome, decidedBy, reason, witnesses }: JoinedAct): RunAct {
  const { actId, turnId, kind, target, command, uncertain } = act;
  const { seenBy, difference } = joinWitnesses(act.witness, witnesses);
  const evidence = witnesses.map(({ move, evidence: why }) =>
    move === null ? why : `${describeMove(move)}. ${why}`,
  );
  const what = { actId, at, turnId, kind, target, command, uncertain };
  return { ...what, seenBy, difference, outcome, decidedBy, reason, evidence };
}
