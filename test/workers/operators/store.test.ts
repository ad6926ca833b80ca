import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_OPERATORS } from '../../../protocol/builtin-operators.ts';
import { accountId, instanceId, operatorId, type OperatorId } from '../../../protocol/ids.ts';
import type { InstanceChange } from '../../../protocol/operator-http.ts';
import type { OperatorBody } from '../../../protocol/operator.ts';
import { requireStanding } from '../../../workers/operators/definitions.ts';
import { changeInstance, makeInstance } from '../../../workers/operators/instances.ts';
import {
  listInstances,
  listOperators,
  listRevisions,
  readInstanceDetail,
  readOperator,
} from '../../../workers/operators/list.ts';
import { publishOperator, withdrawOperator } from '../../../workers/operators/publish.ts';
import { registerRunner, startEmpty } from '../support/http.ts';
import { database } from '../support/ledger.ts';
import { aDefinition, PANE, SAVER } from '../support/operators.ts';

/** Nothing of an operator is ever taken off its record: each test has an account of its own. */
let saver = SAVER;
let count = 0;
beforeAll(startEmpty);
beforeEach(() => {
  saver = { ...SAVER, accountId: accountId.parse(`acc_${(count += 1)}`) };
});

const NOW = 1_700_000_000_000;
const TMUX = operatorId.parse('opr_tmux');
const publish = async (id: OperatorId | null, basedOn: number, over: Partial<OperatorBody> = {}) =>
  publishOperator(
    database(),
    saver,
    { operatorId: id, basedOn, body: aDefinition(over) },
    NOW + basedOn,
  );
const first = async (over: Partial<OperatorBody> = {}) => (await publish(null, 0, over)).definition;
const refusal = (code: string) => expect.objectContaining({ code });
const namesOf = async () =>
  (await listOperators(database(), saver.accountId)).items
    .filter(({ origin }) => origin === 'own')
    .map(({ definition }) => definition.name);

describe('operators of an account', () => {
  it('are listed by name in their newest version, before those of the product', async () => {
    await first({ name: 'Zoo' });
    const { id } = await first({ name: 'Middle' });
    await first({ name: 'apple' });
    await publish(id, 1, { name: 'Beach' });
    expect(await namesOf()).toEqual(['apple', 'Beach', 'Zoo']);
    const { items } = await listOperators(database(), saver.accountId);
    expect(items.slice(3).map(({ definition }) => definition)).toEqual(BUILT_IN_OPERATORS);
  });

  it('are listed without one that cannot be read, which is named', async () => {
    await first({ name: 'Good' });
    const { id } = await first({ name: 'Bad' });
    await env.DB.prepare(
      `INSERT INTO operator_definitions (account_id, actor_id, operator_id, version, body, saved_by, at)
       SELECT account_id, actor_id, operator_id, 2, '{"name":"Bad"}', saved_by, at
       FROM operator_definitions WHERE operator_id = ?`,
    )
      .bind(id)
      .run();
    expect(await namesOf()).toEqual(['Good']);
    const { items, unreadable } = await listOperators(database(), saver.accountId);
    expect(items.slice(1).map(({ definition }) => definition)).toEqual(BUILT_IN_OPERATORS);
    expect(unreadable).toEqual([
      { operatorId: id, version: 2, reason: expect.stringContaining(`version 2 of ${id}`) },
    ]);
  });

  it('are seen and changed by no other account', async () => {
    const { id } = await first();
    saver = { ...saver, accountId: accountId.parse('acc_stranger') };
    expect(await namesOf()).toEqual([]);
    for (const asked of [
      () => readOperator(database(), saver.accountId, id),
      () => withdrawOperator(database(), saver, id, NOW),
      () => publish(id, 1),
      () => requireStanding(database(), saver.accountId, id),
    ])
      await expect(asked()).rejects.toEqual(refusal('operator_not_found'));
  });

  it('that two publish at once get one of the two versions, and the other is told', async () => {
    const { id } = await first();
    const both = await Promise.allSettled(['One', 'Two'].map((name) => publish(id, 1, { name })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'operator_changed' },
    });
    expect((await readOperator(database(), saver.accountId, id)).versions).toHaveLength(2);
  });

  it('tell of each version whether it allows more than the one before that stood', async () => {
    const tools = (...names: OperatorBody['ceiling']['tools']): Partial<OperatorBody> => ({
      ceiling: { ...aDefinition().ceiling, tools: names },
    });
    const { id } = await first(tools('tmux_capture_pane'));
    await publish(id, 1, tools('tmux_capture_pane', 'tmux_send_keys'));
    await withdrawOperator(database(), saver, id, NOW);
    await publish(id, 3, tools('tmux_capture_pane', 'tmux_send_keys', 'tmux_kill_session'));
    await publish(id, 4, tools('tmux_capture_pane'));
    await publish(id, 5, tools('tmux_send_keys'));
    const { versions } = await readOperator(database(), saver.accountId, id);
    expect(versions.map(({ version, wider, body }) => [version, wider, body !== null])).toEqual([
      [6, true, true],
      [5, false, true],
      [4, true, true],
      [3, false, false],
      [2, true, true],
      [1, false, true],
    ]);
  });

  it('of the product have no versions, and stand as they are', async () => {
    const { entry, versions } = await readOperator(database(), saver.accountId, TMUX);
    expect([entry?.origin, entry?.publishedAt, versions]).toEqual(['builtIn', null, []]);
    expect(await requireStanding(database(), saver.accountId, TMUX)).toBe(
      BUILT_IN_OPERATORS.find(({ id }) => id === TMUX),
    );
  });
});

describe('an instance of an account', () => {
  /** Makes an instance on a machine of this account. */
  async function make(id: OperatorId = TMUX, at = NOW) {
    const { runnerId } = await registerRunner();
    await env.DB.prepare('UPDATE runners SET account_id = ? WHERE runner_id = ?')
      .bind(saver.accountId, runnerId)
      .run();
    return makeInstance(
      env,
      saver,
      {
        operatorId: id,
        runnerId,
        agreedVersion: 1,
        name: 'mine',
        narrowing: {},
        boundTarget: null,
        brain: null,
        budgetMicroUsd: null,
      },
      at,
    );
  }
  const change = (id: Awaited<ReturnType<typeof make>>, asked: InstanceChange) =>
    changeInstance(env, saver, id, asked, NOW + 1);
  const detail = (id: Awaited<ReturnType<typeof make>>) =>
    readInstanceDetail(database(), saver.accountId, id);

  it.each<[InstanceChange, object]>([
    [{ change: 'rename', name: 'the build' }, { name: 'the build' }],
    [
      { change: 'bind', boundTarget: { target: PANE, label: 'build' } },
      { boundTarget: { target: PANE, label: 'build' } },
    ],
    [
      { change: 'narrow', narrowing: { tools: ['tmux_capture_pane'] } },
      { narrowing: { tools: ['tmux_capture_pane'] } },
    ],
    [
      { change: 'consent', consents: { run: 'always' } },
      { consents: { read: 'always', send: 'ask', run: 'always', kill: 'never' } },
    ],
    [{ change: 'budget', budgetMicroUsd: 5_000_000 }, { budgetMicroUsd: 5_000_000 }],
    [{ change: 'pause' }, { state: 'paused' }],
  ])('takes %j, with everything else as it was', async (asked, expected) => {
    const id = await make();
    const { instance } = await detail(id);
    await change(id, asked);
    expect((await detail(id)).instance).toEqual({
      ...instance,
      ...expected,
      revision: 2,
      changedAt: NOW + 1,
    });
  });

  it('changed by two at once takes one, and tells the other', async () => {
    const id = await make();
    const both = await Promise.allSettled(
      ['one', 'two'].map((name) => change(id, { change: 'rename', name })),
    );
    const refused = both.filter(({ status }) => status === 'rejected');
    // Either they met, or the second came after the first: never two of one revision.
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'conflict' } });
    const { items } = await listRevisions(database(), saver.accountId, id);
    expect(items.map(({ revision }) => revision)).toEqual(refused.length > 0 ? [2, 1] : [3, 2, 1]);
  });

  it('agrees to no version that was never published', async () => {
    const { id: own } = await first();
    const id = await make(own);
    await expect(change(id, { change: 'agree', version: 2 })).rejects.toMatchObject({
      code: 'bad_request',
      context: { field: 'version', detail: expect.stringContaining('2 was never published') },
    });
    expect((await detail(id)).instance.revision).toBe(1);
  });

  it('is there for no other account', async () => {
    const id = await make();
    saver = { ...saver, accountId: accountId.parse('acc_stranger') };
    for (const asked of [
      () => detail(id),
      () => change(id, { change: 'pause' }),
      () => listRevisions(database(), saver.accountId, id),
    ])
      await expect(asked()).rejects.toEqual(refusal('instance_not_found'));
    const { items } = await listInstances(database(), saver.accountId, { limit: 9 });
    expect(items).toEqual([]);
  });

  it('that cannot be read is told as such, and hides no other', async () => {
    const [good, broken] = [await make(TMUX, NOW), await make(TMUX, NOW + 1_000)];
    await env.DB.prepare(
      `INSERT INTO operator_instances (account_id, actor_id, instance_id, revision, operator_id,
         runner_id, owner_id, created_at, body, saved_by, at)
       SELECT account_id, actor_id, instance_id, 2, operator_id, runner_id, owner_id, created_at,
         '{"state":"active","agreedVersion":1}', saved_by, at
       FROM operator_instances WHERE instance_id = ?`,
    )
      .bind(broken)
      .run();
    const page = await listInstances(database(), saver.accountId, { limit: 9 });
    expect(page.items.map(({ instance }) => instance.id)).toEqual([good]);
    expect(page.unreadable).toEqual([
      { instanceId: broken, reason: expect.stringContaining(`revision 2 of ${broken}`) },
    ]);
  });

  it('is listed newest first, without those that were removed, and by its operator', async () => {
    const { id: own } = await first();
    const made = [
      await make(TMUX, NOW),
      await make(own, NOW + 1_000),
      await make(TMUX, NOW + 2_000),
    ];
    const list = async (query: object = {}) =>
      (await listInstances(database(), saver.accountId, { limit: 9, ...query })).items.map(
        ({ instance }) => instance.id,
      );
    expect(await list()).toEqual(made.toReversed());
    expect(await list({ operatorId: own })).toEqual([made[1]]);
    expect(await list({ cursor: made[1] })).toEqual([made[0]]);
    await change(instanceId.parse(made[0]), { change: 'remove' });
    await change(instanceId.parse(made[2]), { change: 'pause' });
    expect(await list()).toEqual([made[2], made[1]]);
  });
});
