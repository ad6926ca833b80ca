import { describe, expect, it } from 'vitest';
import type { RunnerSummary, SessionDetail } from '../../../../protocol/http.ts';
import { forkRequestOf, type ForkTermsSaid } from '../../../../runner/cli/sessions/fork-request.ts';
import { created, SESSION, viewAfter } from '../../../support/protocol-builders.ts';

const begun = viewAfter(created());
const limits = { tokens: 9_000, turns: 3, timeMs: 60_000 };
const detail = {
  view: {
    ...begun,
    launch: { ...begun.launch, limits },
    checkout: { mode: 'own' },
    turns: [{ turnId: 'trn_1', state: 'ended' }],
  },
  summary: { sessionId: SESSION, runnerId: 'run_1' },
} as unknown as SessionDetail;
const SAID: ForkTermsSaid = { mode: 'manual' };
const ABLE = { machine: { forks: true } } as RunnerSummary;

describe('what is asked for a fork', () => {
  it('keeps the limits of the session that nobody said anything about', () => {
    expect(forkRequestOf(detail, ABLE, 'Go', { ...SAID, turns: 5 }).limits).toEqual({
      ...limits,
      turns: 5,
    });
    expect(forkRequestOf(detail, ABLE, 'Go', SAID).limits).toEqual(limits);
  });

  it('is refused before the launch where the runner of the machine cannot', () => {
    const older = { machine: {} } as RunnerSummary;
    expect(() => forkRequestOf(detail, older, 'Go', SAID)).toThrow(/older version/);
  });
});
