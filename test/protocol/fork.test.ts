import { describe, expect, it } from 'vitest';
import {
  findForkPoint,
  forkMachineObstacle,
  forkObstacle,
  forkTerms,
  laterTurns,
} from '../../protocol/fork.ts';
import { sessionId, turnId } from '../../protocol/ids.ts';
import { LOCAL_ACTOR } from '../../protocol/ids.ts';
import type { TurnView } from '../../protocol/session-view.ts';
import { created, viewAfter } from '../support/protocol-builders.ts';

const [ONE, TWO, THREE] = ['trn_1', 'trn_2', 'trn_3'].map((id) => turnId.parse(id)) as [
  TurnView['turnId'],
  TurnView['turnId'],
  TurnView['turnId'],
];
const turn = (id: TurnView['turnId'], startedAt: number | null, endedAt: number | null) =>
  ({
    turnId: id,
    state: endedAt !== null ? 'ended' : startedAt !== null ? 'started' : 'accepted',
    startedAt,
    endedAt,
  }) as TurnView;
const OWN = { mode: 'own' } as NonNullable<ReturnType<typeof viewAfter>['checkout']>;
const view = (turns: TurnView[], openTurnId: TurnView['turnId'] | null = null) => ({
  ...viewAfter(created()),
  checkout: OWN,
  turns,
  openTurnId,
});

describe('where a session is forked', () => {
  it('is after its last turn that is over, with its files as they are between turns', () => {
    const between = view([turn(ONE, 1, 2), turn(TWO, 3, 4)]);
    expect(findForkPoint(between, { turnId: null })).toEqual({
      turnId: TWO,
      number: 2,
      nextTurnId: null,
      filesNow: true,
    });
    const working = view([turn(ONE, 1, 2), turn(TWO, 3, null)], TWO);
    expect(findForkPoint(working, { turnId: null })).toEqual({
      turnId: ONE,
      number: 1,
      nextTurnId: TWO,
      filesNow: false,
    });
  });

  it('keeps what began within the turn, and cuts before what began after it', () => {
    const steered = view([turn(ONE, 1, 6), turn(TWO, 3, 6), turn(THREE, 7, 8)]);
    expect(findForkPoint(steered, { turnId: ONE })).toMatchObject({ nextTurnId: THREE });
    expect(laterTurns(steered, turn(ONE, 1, 6)).map((each) => each.turnId)).toEqual([THREE]);
  });

  it('is nowhere for a turn that is not over, or not its own', () => {
    const working = view([turn(ONE, 1, null)], ONE);
    expect(findForkPoint(working, { turnId: ONE })).toBeNull();
    expect(findForkPoint(working, { turnId: THREE })).toBeNull();
    expect(forkObstacle(working)).toMatch(/over yet/);
    expect(
      forkObstacle({ ...view([turn(ONE, 1, 2)]), checkout: { ...OWN, mode: 'inPlace' } }),
    ).toMatch(/directory itself/);
    expect(forkObstacle(view([turn(ONE, 1, 2)]))).toBeNull();
  });
});

describe('a fork', () => {
  it('has the power that the session got, where nobody chose one', () => {
    const grade = { grade: 'sealed', reason: '', network: 'model-only' } as const;
    const checkout = { ...OWN, grade };
    expect(forkTerms({ ...view([]), checkout })).toMatchObject({
      checkout: 'own',
      grade: 'sealed',
      network: 'model-only',
    });
  });

  it('stands in the record of the session once', () => {
    const fork = {
      type: 'session/forked',
      sessionId: sessionId.parse('ses_fork'),
      turnId: ONE,
      number: 1,
      actorId: LOCAL_ACTOR,
    } as const;
    expect(viewAfter(created()).forks).toBeUndefined();
    expect(viewAfter(created(), fork, fork).forks).toEqual([
      { sessionId: 'ses_fork', turnId: ONE, number: 1 },
    ]);
  });
});

describe('a machine', () => {
  it('forks where its runner says that it can, and may where it has said nothing yet', () => {
    expect(forkMachineObstacle({})).toMatch(/older version/);
    expect(forkMachineObstacle({ forks: true })).toBeNull();
    expect(forkMachineObstacle(null)).toBeNull();
  });
});
