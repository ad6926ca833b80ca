import { expect, it } from 'vitest';
import { runnerId, turnId } from '../../../protocol/ids.ts';
import type { SessionView, TurnView } from '../../../protocol/session-view.ts';
import { decideFork } from '../../../workers/sessions/fork.ts';
import { created, viewAfter } from '../../support/protocol-builders.ts';

const RUNNER = runnerId.parse('run_1');
const turn = (id: string, startedAt: number | null, endedAt: number | null) =>
  ({
    turnId: turnId.parse(id),
    state: endedAt ? 'ended' : 'started',
    startedAt,
    endedAt,
  }) as TurnView;

it('knows of turns that the view has, and of none that begins while its record is read', () => {
  const view = {
    ...viewAfter(created()),
    checkout: { mode: 'own' },
    turns: [turn('trn_1', 1, 2), turn('trn_2', 3, 4), turn('trn_3', null, null)],
  } as SessionView;
  const launch = { runnerId: RUNNER, checkout: 'own' as const };
  const now = decideFork({ view, runnerId: RUNNER }, { ...launch, fork: { turnId: null } });
  expect([...now.told]).toEqual(['trn_1', 'trn_2']);
  const first = { turnId: turnId.parse('trn_1') };
  const then = decideFork({ view, runnerId: RUNNER }, { ...launch, fork: first });
  expect([...then.told]).toEqual(['trn_1']);
});
