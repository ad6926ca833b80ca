import { describe, expect, it } from 'vitest';
import type { ActRow } from '../../../protocol/http.ts';
import { tallyActs } from '../../../console/acts/tally.ts';
import { filterOf, isFiltered } from '../../../console/acts/search.ts';
import { sayActor } from '../../../protocol/actor.ts';
import { saySources } from '../../../protocol/audit.ts';
import { LOCAL_ACTOR, runnerId } from '../../../protocol/ids.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { anAct } from '../../support/transcript-events.ts';

const row = (over: Partial<ActRow>): ActRow => ({
  ...anAct(),
  sessionId: SESSION,
  sessionTitle: 'Fix the test',
  engineId: 'claude',
  machine: null,
  actorId: LOCAL_ACTOR,
  behalfOf: null,
  rehearsal: false,
  witnesses: [],
  decidedBy: null,
  reason: null,
  waiting: false,
  outcome: 'done',
  at: 1,
  ...over,
});

describe('the tally of acts', () => {
  it('counts each kind by what became of it, the most frequent first', () => {
    const rows = [
      row({ kind: 'merge', outcome: null }),
      row({ kind: 'push' }),
      row({ kind: 'push', outcome: 'not_done' }),
      row({ kind: 'push', outcome: 'unknown', breach: true }),
    ];
    expect(tallyActs(rows)).toEqual([
      { kind: 'push', done: 1, notDone: 1, unknown: 1, open: 0, forbidden: 1 },
      { kind: 'merge', done: 0, notDone: 0, unknown: 0, open: 1, forbidden: 0 },
    ]);
  });

  it('leaves out a rehearsal, which did nothing', () => {
    expect(tallyActs([row({ rehearsal: true })])).toEqual([]);
  });
});

describe('the words of the ledgers', () => {
  it('name the versions of a policy from the widest scope on', () => {
    const machine = runnerId.parse('run_1');
    expect(saySources([])).toBe('defaults');
    expect(
      saySources([
        { scope: { kind: 'account' }, version: 3 },
        { scope: { kind: 'repository', runnerId: machine, directory: '/srv' }, version: 1 },
      ]),
    ).toBe('account v3, repository v1');
  });

  it('name who answered', () => {
    expect(['usr_local', 'usr_pilot', 'usr_other'].map((id) => sayActor(id))).toEqual([
      'you',
      'the Pilot',
      'usr_other',
    ]);
  });
});

describe('the filter of the address', () => {
  it('is what the API asks for, with nothing where nothing is said', () => {
    const window = { from: 5, to: undefined };
    const filter = filterOf({ kind: 'push', session: SESSION, breach: 'yes' }, window);
    expect(Object.entries(filter).filter(([, value]) => value !== undefined)).toEqual([
      ['sessionId', SESSION],
      ['kind', 'push'],
      ['breach', 'true'],
      ['from', 5],
    ]);
  });

  it('leaves something out unless it only says which ledger', () => {
    expect(isFiltered({ show: 'breaches' })).toBe(false);
    expect(isFiltered({ time: 'today' })).toBe(true);
    expect(isFiltered({ kind: undefined })).toBe(false);
  });
});
