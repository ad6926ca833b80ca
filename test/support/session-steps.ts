import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import type { SessionEffect } from '../../runner/sessions/session-io.ts';
import { anApprovalRequest } from './feed-events.ts';
import { turnNumber, type SessionSimulator } from './session-simulator.ts';

/** What a person allows or denies in tests: a push of the simulator's first turn. */
export const REQUEST: ApprovalRequest = anApprovalRequest({
  turnId: turnNumber(1),
  summary: 'git push',
  acts: ['push'],
});
export const ALLOW: ApprovalAnswer = {
  decision: 'allow',
  message: null,
  answers: null,
  suggestion: null,
};
export const DENY: ApprovalAnswer = { ...ALLOW, decision: 'deny' };

export const instruct = (simulator: SessionSimulator, turn: number): void =>
  simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(turn), text: 'go' } });

/** Everything that the rules asked for so far, by kind and in order. */
export const kinds = (simulator: SessionSimulator): string[] =>
  simulator.effects.map(({ kind }) => kind);

export const countOf = (simulator: SessionSimulator, kind: SessionEffect['kind']): number =>
  kinds(simulator).filter((each) => each === kind).length;

/** A session whose first turn is done and brought back: ready and idle. */
export function anIdleSession(simulator: SessionSimulator): SessionSimulator {
  simulator.run();
  simulator.endTurn();
  simulator.broughtBack();
  return simulator;
}
