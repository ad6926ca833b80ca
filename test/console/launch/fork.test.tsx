import { describe, expect, it } from 'vitest';
import { forkTargets } from '../../../console/frame/palette.tsx';
import { cliTwin } from '../../../console/format/cli.ts';
import { decideLaunch, goOnFrom } from '../../../console/launch/draft.ts';
import { forkDraft, forkOfLink } from '../../../console/launch/fork.ts';
import { FORK_NOW } from '../../../console/paths.ts';
import type { TurnEndRow } from '../../../console/transcript/turn-rows.tsx';
import { ForkHere } from '../../../console/transcript/fork-here.tsx';
import type { SessionDetail } from '../../../protocol/http.ts';
import { forkTerms } from '../../../protocol/fork.ts';
import { launchRequest } from '../../../protocol/http.ts';
import { NO_OUTPUT_MS } from '../../../protocol/launch.ts';
import { turnId } from '../../../protocol/ids.ts';
import { created, SESSION, viewAfter } from '../../support/protocol-builders.ts';

const TURN = turnId.parse('trn_one');
const detail = () => {
  const begun = viewAfter(created());
  const terms = { budgetMicroUsd: 2_500_000, model: 'opus', noOutputMs: 600_000 };
  const view = { ...begun, launch: { ...begun.launch, ...terms } };
  return { view, summary: { runnerId: 'run_1' } } as unknown as SessionDetail;
};

describe('the form of a fork', () => {
  it('begins with the terms of the session, and without its words', () => {
    expect(forkDraft(detail())).toMatchObject({
      runnerId: 'run_1',
      objective: '',
      budget: '2.5',
      model: 'opus',
      silence: '10',
      checkout: 'own',
      conversation: '',
    });
  });

  it('asks for the turn of its link, or for the session as it is', () => {
    expect(forkOfLink(undefined)).toBeNull();
    expect(forkOfLink(FORK_NOW)).toEqual({ turnId: null });
    expect(forkOfLink(TURN)).toEqual({ turnId: TURN });
  });

  it('is the same in a terminal', () => {
    const draft = { ...forkDraft(detail()), objective: 'Another way', runnerId: 'run_1' };
    const decision = decideLaunch(draft, {
      runner: { runnerId: 'run_1', presence: 'online' } as never,
      engine: { engineId: draft.engineId, ready: true, label: 'Rehearsal' } as never,
      workspace: undefined,
    });
    const forked = goOnFrom(SESSION, decision, { turnId: TURN });
    if (forked.kind !== 'ready') throw new Error(JSON.stringify(forked));
    expect(forked.request).toMatchObject({ from: SESSION, fork: { turnId: TURN } });
    const twin = cliTwin.launch(forked.request);
    expect(twin).toContain(`sessions fork ${SESSION} --turn ${TURN} --engine`);
    expect(twin).toMatch(/--budget 2\.5/);
    expect(twin).not.toMatch(/--dir|--base|--from|--runner/);
  });

  it('says in a terminal what its form has cleared of the terms of the session, and no more', () => {
    const had = forkTerms(detail().view);
    const terms = {
      ...had,
      limits: { tokens: 500_000, turns: null, timeMs: 60_000 },
      grade: 'sealed',
      network: 'model-only',
    } as const;
    const request = launchRequest.parse({
      runnerId: 'run_1',
      engineId: terms.engineId,
      directory: null,
      objective: 'Another way',
      from: SESSION,
      fork: { turnId: null },
      noOutputMs: NO_OUTPUT_MS,
    });
    expect(cliTwin.launch(request, terms)).toMatch(
      / --budget none --tokens none --minutes none --model none --grade default --network default (?=.*--silence 15 )/,
    );
    expect(cliTwin.launch({ ...request, ...terms }, terms)).not.toMatch(/none|default|--silence/);
    expect(cliTwin.launch({ ...request, engineId: 'codex' }, terms)).not.toContain('--model');
  });
});

describe('the way to a fork', () => {
  it('is in the palette on the page of a session alone', () => {
    expect(forkTargets('/sessions')).toEqual([]);
    expect(forkTargets(`/sessions/${SESSION}`)).toMatchObject([
      { to: '/launch', search: { from: SESSION, fork: FORK_NOW } },
    ]);
  });

  it('is under each turn that is over, and under none of a session in place', () => {
    const { view } = detail();
    const turn = { turnId: TURN, state: 'ended' } as Parameters<typeof TurnEndRow>[0]['turn'];
    const inPlace = { ...view, turns: [turn], checkout: { mode: 'inPlace' } as never };
    expect(ForkHere({ view: inPlace, turn, number: 1 })).toBeNull();
    const own = { ...inPlace, checkout: { mode: 'own' } as never };
    expect(ForkHere({ view: own, turn: { ...turn, state: 'started' }, number: 1 })).toBeNull();
    expect(ForkHere({ view: own, turn, number: 1 })).not.toBeNull();
  });
});
