// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { WorkspaceDescription } from '../../../protocol/command.ts';
import {
  askFor,
  decideLaunch,
  EMPTY_DRAFT,
  fillDraft,
  findSurroundings,
  type LaunchDraft,
  listModes,
} from '../../../console/launch/draft.ts';
import { asksOf, summariseLaunch, wordsOfMode } from '../../../console/launch/words.ts';
import { fitsTyped } from '../../../console/launch/directory-field.tsx';
import { aRunner } from '../../../console/mock/sentinels.ts';

const RUNNERS = [aRunner()];
const REPOSITORY: WorkspaceDescription = {
  path: '/home/me/a',
  repository: '/home/me/a',
  branch: 'main',
  commit: 'c',
  uncommittedFiles: 0,
  branches: ['main'],
  problems: [],
};

const draft = (over: Partial<LaunchDraft> = {}): LaunchDraft =>
  fillDraft({ ...EMPTY_DRAFT, objective: 'Trim the sails', ...over }, RUNNERS);

const decide = (
  over: Partial<LaunchDraft>,
  workspace?: WorkspaceDescription,
  runners = RUNNERS,
) => {
  const filled = { ...draft(), ...over };
  return decideLaunch(filled, { ...findSurroundings(filled, runners), workspace });
};

describe('a budget that cannot be kept', () => {
  const priced = ['gpt-5.5'];
  const budget = { kind: 'estimated', models: priced, ownModel: null, namesModel: false } as const;
  const unpriced = RUNNERS.map((runner) => ({
    ...runner,
    machine: runner.machine && {
      ...runner.machine,
      engines: runner.machine.engines.map((engine) => ({ ...engine, budget })),
    },
  }));
  const place = { directory: '/home/me/a' };

  it('is told beside the field before the launch', () => {
    const decided = decide({ ...place, budget: '5', model: 'gpt-9' }, REPOSITORY, unpriced);
    expect(decided).toMatchObject({
      kind: 'not_ready',
      problems: { budget: expect.stringContaining('No price is known for the model gpt-9') },
    });
  });

  it.each([[{ model: 'gpt-9' }], [{ budget: '5', model: 'gpt-5.5' }]])('lets %j be', (typed) => {
    expect(decide({ ...place, ...typed }, REPOSITORY, unpriced).kind).toBe('ready');
  });
});

describe('an approvals mode that the engine refuses to root', () => {
  const refusing = RUNNERS.map((runner) => ({
    ...runner,
    machine: runner.machine && {
      ...runner.machine,
      engines: runner.machine.engines.map((engine) => ({
        ...engine,
        sealedOnly: ['bypass' as const],
      })),
    },
  }));
  const place = { directory: '/home/me/a', grade: 'open' as const };

  it('is told before the launch, with the ways out', () => {
    expect(decide({ ...place, approvals: 'bypass' }, REPOSITORY, refusing)).toMatchObject({
      kind: 'not_ready',
      problems: { grade: expect.stringContaining('refuses the approvals mode `bypass` to root') },
    });
  });

  it('lets the other modes be', () => {
    expect(decide({ ...place, approvals: 'ask' }, REPOSITORY, refusing).kind).toBe('ready');
  });
});

describe('a budget where the engine tells its cost in some modes only', () => {
  const budget = { kind: 'reported' } as const;
  const modal = RUNNERS.map((runner) => ({
    ...runner,
    machine: runner.machine && {
      ...runner.machine,
      engines: runner.machine.engines.map((engine) => ({
        ...engine,
        budget,
        unmetered: ['ask' as const],
      })),
    },
  }));
  const place = { directory: '/home/me/a', budget: '5' };

  it('is refused beside the field in the mode that tells none, with what to do', () => {
    expect(decide({ ...place, approvals: 'ask' }, REPOSITORY, modal)).toMatchObject({
      kind: 'not_ready',
      problems: { budget: expect.stringMatching(/approvals mode.*another mode.*without a budget/) },
    });
  });

  it('is kept in the others', () => {
    expect(decide({ ...place, approvals: 'plan' }, REPOSITORY, modal).kind).toBe('ready');
  });
});

describe('a link that asks for an engine', () => {
  it('brings the rehearsal with words that can be launched at once', () => {
    const asked = askFor({ ...EMPTY_DRAFT, directory: '/home/me/a' }, 'rehearsal');
    const filled = fillDraft(asked, RUNNERS);
    expect(filled.directory).toBe('');
    expect(
      decideLaunch(filled, { ...findSurroundings(filled, RUNNERS), workspace: undefined }),
    ).toMatchObject({ kind: 'ready', request: { objective: expect.stringMatching(/^Show me/) } });
  });

  it('leaves what somebody wrote, and the words for every other engine', () => {
    expect(askFor({ ...EMPTY_DRAFT, objective: 'Mine' }, 'rehearsal').objective).toBe('Mine');
    expect(askFor(EMPTY_DRAFT, 'claude')).toEqual({ ...EMPTY_DRAFT, engineId: 'claude' });
    expect(askFor(EMPTY_DRAFT, undefined)).toEqual(EMPTY_DRAFT);
  });
});

describe('what is filled in', () => {
  it('is a machine that is online and an engine that is ready', () => {
    const away = aRunner({ runnerId: 'run_away' as never, presence: 'offline' });
    expect(fillDraft(EMPTY_DRAFT, [away, ...RUNNERS])).toMatchObject({
      runnerId: 'run_sentinel',
      engineId: 'rehearsal',
    });
  });

  it('prefers a real engine to the rehearsal once one is ready', () => {
    const { machine } = aRunner();
    if (!machine) throw new Error('the sentinel machine tells nothing');
    const engines = machine.engines.map((engine) => ({ ...engine, ready: true }));
    const runner = aRunner({ machine: { ...machine, engines } });
    expect(fillDraft(EMPTY_DRAFT, [runner]).engineId).toBe('claude');
    expect(fillDraft({ ...EMPTY_DRAFT, engineId: 'rehearsal' }, [runner]).engineId).toBe(
      'rehearsal',
    );
  });

  it('drops a mode that this engine or machine does not have', () => {
    expect(draft({ approvals: 'bypass' }).approvals).toBe('ask');
    const { runner, engine } = findSurroundings(draft(), RUNNERS);
    expect(listModes(engine, runner)).toEqual(['ask', 'accept_edits']);
  });
});

describe('a launch', () => {
  it('of the rehearsal needs words alone', () => {
    expect(decide({})).toMatchObject({
      kind: 'ready',
      request: { directory: null, objective: 'Trim the sails', budgetMicroUsd: null, model: null },
    });
  });

  it.each([
    ['no words', { objective: '  ' }, 'objective', 'Say what to do.'],
    ['a relative path', { directory: 'code' }, 'directory', 'from / on'],
    ['a budget that is none', { budget: 'five' }, 'budget', 'Give dollars'],
    ['a silence that is none', { silence: 'long' }, 'silence', 'Give minutes'],
    [
      'a conversation begun elsewhere',
      { conversation: 'c-1', checkout: 'own' },
      'conversation',
      'in the directory itself',
    ],
    ['more silence than the machine allows', { silence: '61' }, 'silence', 'up to 60'],
    [
      'an engine that is not ready',
      { engineId: 'claude', directory: '/a' },
      'engineId',
      'claude login',
    ],
    ['no directory for a real engine', { engineId: 'claude' }, 'directory', 'which directory'],
    ['a machine that does not exist', { runnerId: 'run_gone' }, 'runnerId', 'Choose the machine'],
  ] as const)('with %s is not ready', (_, over, field, words) => {
    const decision = decide(over);
    expect(decision.kind === 'not_ready' && decision.problems[field]).toContain(words);
  });

  it('waits for a silent engine as long as was chosen, and else the usual time', () => {
    expect(decide({})).toMatchObject({ request: { noOutputMs: 900_000 } });
    expect(decide({ silence: ' 2,5 ' })).toMatchObject({ request: { noOutputMs: 150_000 } });
    expect(decide({ silence: '60' })).toMatchObject({ request: { noOutputMs: 3_600_000 } });
  });

  it('lets an approval wait as long as was chosen and the machine allows', () => {
    expect(decide({})).toMatchObject({ request: { answerMs: 86_400_000 } });
    expect(decide({ answerHours: '1,5' })).toMatchObject({ request: { answerMs: 5_400_000 } });
    const decision = decide({ answerHours: '49' });
    expect(decision.kind === 'not_ready' && decision.problems.answerHours).toContain('up to 48');
  });

  it('on a machine that is away says so', () => {
    const decision = decide({}, undefined, [aRunner({ presence: 'offline' })]);
    expect(decision.kind === 'not_ready' && decision.problems.runnerId).toContain('offline');
  });

  it('is stopped by what the machine says of the directory', () => {
    const problems = [{ code: 'busy', message: 'Another session works here.', blocks: true }];
    const decision = decide({ directory: '/home/me/a' }, { ...REPOSITORY, problems });
    expect(decision).toMatchObject({ problems: { directory: 'Another session works here.' } });
    const warned = problems.map((problem) => ({ ...problem, blocks: false }));
    expect(decide({ directory: '/home/me/a' }, { ...REPOSITORY, problems: warned }).kind).toBe(
      'ready',
    );
  });

  it('without a repository has to work in place', () => {
    const bare = { ...REPOSITORY, repository: null };
    expect(decide({ directory: '/home/me/a' }, bare)).toMatchObject({ kind: 'not_ready' });
    expect(decide({ directory: '/home/me/a', checkout: 'inPlace' }, bare).kind).toBe('ready');
  });

  it('in place takes neither a base nor uncommitted changes', () => {
    const over = {
      directory: '/home/me/a',
      checkout: 'inPlace',
      baseRef: 'x',
      fromUncommitted: true,
    } as const;
    expect(decide(over, REPOSITORY)).toMatchObject({
      request: { baseRef: null, fromUncommitted: false },
    });
  });
});

describe('the sentence before a launch', () => {
  it('says who, where, in what, within which limits', () => {
    const decision = decide({ directory: '/home/me/a', budget: '5', baseRef: 'main' }, REPOSITORY);
    if (decision.kind !== 'ready') throw new Error('it should be ready');
    expect(
      summariseLaunch(decision.request, {
        engine: 'Rehearsal',
        machine: 'lighthouse',
        asks: ['ask'],
      }),
    ).toBe(
      'Rehearsal on lighthouse, in a checkout of its own of /home/me/a, from main; asks before edits and commands; stops at $5.00.',
    );
  });
});

describe('a completion of a path', () => {
  it.each([
    ['/home/me/code', '/home/me/co', true],
    ['/home/me/Code', '/home/me/co', true],
    ['/home/me/code', '/home/me/', true],
    ['/home/me/letters', '/home/me/co', false],
    ['/home/me/code', '~/co', true],
    ['/home/me', '', true],
  ])('%j for %j: %j', (path, typed, fits) => {
    expect(fitsTyped(path, typed)).toBe(fits);
  });
});

describe('what a mode means', () => {
  it('depends on whether the engine asks in it', () => {
    expect(wordsOfMode('accept_edits', ['ask', 'accept_edits']).meaning).toContain('asks before');
    expect(wordsOfMode('accept_edits', []).meaning).toContain('cannot ask');
    expect(wordsOfMode('plan', ['ask', 'accept_edits']).clause).toBe('only reads and answers');
    expect(wordsOfMode('bypass', [])).toEqual(wordsOfMode('bypass', ['ask', 'bypass']));
  });

  it('is taken from what an older runner offers, which does not say', () => {
    const engine = aRunner().machine?.engines[0];
    if (!engine) throw new Error('no engine');
    expect(asksOf({ ...engine, approvals: ['ask', 'plan'] })).toEqual(['ask', 'plan']);
    expect(asksOf({ ...engine, approvals: ['plan'] })).toEqual([]);
    expect(asksOf({ ...engine, asks: ['ask'] })).toEqual(['ask']);
  });
});
