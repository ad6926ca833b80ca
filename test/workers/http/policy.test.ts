import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionDetail } from '../../../protocol/http.ts';
import { DEFAULT_POLICY, type PolicyPart } from '../../../protocol/merge-policy.ts';
import { policyDetail, policyHistory, policyVersion } from '../../../protocol/policy-http.ts';
import { ask, codeOf, signIn } from '../support/http.ts';
import { type Installation, launchOn, startOnline } from '../support/sessions.ts';

let home: Installation;
beforeEach(async () => {
  home = await startOnline();
});

const at = (directory?: string) =>
  directory === undefined
    ? ''
    : `?runnerId=${home.runner.runnerId}&directory=${encodeURIComponent(directory)}`;
const read = async (directory?: string) =>
  policyDetail.parse((await ask('GET', `/v1/policy${at(directory)}`, { bearer: home.cli })).body);
const history = async (directory?: string) => {
  const answer = await ask('GET', `/v1/policy/versions${at(directory)}`, { bearer: home.cli });
  return policyHistory.parse(answer.body).items;
};
type Said = { directory?: string; widens?: string; basedOn?: number };
const save = (part: PolicyPart, { directory, widens, basedOn = 0 }: Said = {}, credential = {}) =>
  ask('POST', '/v1/policy', {
    bearer: home.cli,
    ...credential,
    body: {
      scope:
        directory === undefined
          ? { kind: 'account' }
          : { kind: 'repository', runnerId: home.runner.runnerId, directory },
      part,
      widens: widens ?? null,
      basedOn,
    },
  });

describe('the merge policy', () => {
  it('is the default where nobody has said anything, in words too', async () => {
    const { policy, layers, words } = await read('/code/shop');
    expect(policy).toEqual(DEFAULT_POLICY);
    expect(layers).toEqual([]);
    expect(words).toContain('May open pull requests.');
  });

  it('is kept as versions with who saved each, and none of them is changed', async () => {
    expect(policyVersion.parse((await save({ mode: 'none' })).body)).toMatchObject({ version: 1 });
    const byPerson = { bearer: undefined, cookie: await signIn() };
    expect((await save({ mode: 'ask' }, { basedOn: 1 }, byPerson)).status).toBe(201);
    expect(await history()).toMatchObject([
      { version: 2, savedBy: 'person', part: { mode: 'ask' } },
      { version: 1, savedBy: 'cli', part: { mode: 'none' } },
    ]);
  });

  it('that somebody else changed meanwhile is not overwritten', async () => {
    await save({ mode: 'none' });
    expect(codeOf(await save({ mode: 'merge' }))).toBe('policy_changed');
    const both = await Promise.all([
      save({ tags: 'ask' }, { basedOn: 1 }),
      save({ tags: 'new' }, { basedOn: 1 }),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  it('is tightened by the nearest directory, whatever its spelling, and widened with a reason', async () => {
    await save({ mode: 'pr', protectedBranches: ['release/*'] });
    await save({ mode: 'merge' }, { directory: '/code' });
    await save({ mode: 'none' }, { directory: '/code/shop/' });
    await save({ mode: 'merge' }, { directory: '/code/toy', widens: 'a toy' });
    expect((await read('/code')).policy.mode).toBe('pr');
    expect((await read('/code/shop/../shop/deep')).policy.mode).toBe('none');
    expect((await read('/code/shopping')).policy.mode).toBe('pr');
    expect((await read('/code/toy')).policy).toMatchObject({
      mode: 'merge',
      protectedBranches: ['release/*'],
    });
    expect((await read('/code/shop')).layers.map(({ scope }) => scope.kind)).toEqual([
      'account',
      'repository',
      'repository',
    ]);
  });

  it('of a launch is the one of that moment, and stays the session’s', async () => {
    await save({ mode: 'none' });
    const { sessionId } = await launchOn(home, { policy: { tags: 'never', mode: 'merge' } });
    await save({ mode: 'merge' }, { basedOn: 1 });
    const detail = await ask('GET', `/v1/sessions/${sessionId}`, { bearer: home.cli });
    const { launch } = sessionDetail.parse(detail.body).view;
    expect(launch.policy).toMatchObject({
      policy: { mode: 'none' },
      sources: [
        { scope: { kind: 'account' }, version: 1 },
        { scope: { kind: 'session', sessionId }, version: 1 },
      ],
    });
  });

  it('is for an engine that nobody can observe at most to open pull requests, and says so', async () => {
    await save({ mode: 'merge' }, { widens: 'a toy' });
    const launchOf = async (engineId: string) => {
      const { sessionId } = await launchOn(home, { engineId });
      const detail = await ask('GET', `/v1/sessions/${sessionId}`, { bearer: home.cli });
      return sessionDetail.parse(detail.body).view.launch;
    };
    const plain = (await launchOf('ollama')).policy;
    expect(plain).toMatchObject({ policy: { mode: 'pr' }, capped: true });
    expect(plain?.sources).toEqual([{ scope: { kind: 'account' }, version: 1 }]);
    const observed = (await launchOf('rehearsal')).policy;
    expect(observed).toMatchObject({ policy: { mode: 'merge' } });
    expect(observed).not.toHaveProperty('capped');
  });

  it('that cannot be read lets nothing be launched', async () => {
    await env.DB.prepare(
      `INSERT INTO merge_policies (account_id, actor_id, scope_key, version, scope, part, saved_by, at)
       VALUES ('acc_local', 'usr_local', 'account', 9, '{"kind":"account"}', '{"mode":"yolo"}', 'cli', 1)`,
    ).run();
    const answer = await ask('GET', '/v1/policy', { bearer: home.cli });
    expect(codeOf(answer)).toBe('policy_unreadable');
    const body = {
      runnerId: home.runner.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'Fix it',
    };
    const launch = await ask('POST', '/v1/sessions', { bearer: home.cli, body });
    expect([launch.status, codeOf(launch)]).toEqual([503, 'policy_unreadable']);
  });

  it('is refused with words that are none, and to whoever is no person', async () => {
    expect((await save({ mode: 'yolo' as never })).status).toBe(400);
    expect((await ask('GET', '/v1/policy?directory=/code', { bearer: home.cli })).status).toBe(400);
    expect((await ask('GET', '/v1/policy')).status).toBe(401);
    expect((await save({}, {}, { bearer: home.runner.token })).status).toBe(403);
  });
});
