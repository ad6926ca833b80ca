import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_OPERATORS } from '../../../protocol/builtin-operators.ts';
import { instanceId, LOCAL_ACCOUNT, LOCAL_ACTOR, operatorId } from '../../../protocol/ids.ts';
import { DEFAULT_CONSENTS, type OperatorBody } from '../../../protocol/operator.ts';
import type { Principal } from '../../../workers/access/principal.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { appendDefinition, type Saver } from '../../../workers/operators/append.ts';
import { changeInstance, makeInstance } from '../../../workers/operators/instances.ts';
import { readInstance } from '../../../workers/operators/read.ts';
import { registerRunner, startEmpty } from '../support/http.ts';

const principal: Principal = {
  kind: 'cli',
  name: 'test',
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  runnerId: null,
  decisions: null,
  tokenHash: null,
  expiresAt: null,
};
const saver: Saver = { ...principal, kind: 'cli' };
const OPERATOR = operatorId.parse('opr_own');
const NOW = 1_700_000_000_000;

const body = (...tools: OperatorBody['ceiling']['tools']): OperatorBody => ({
  name: 'Watcher',
  instructions: 'Watch.',
  ceiling: {
    tools,
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'single', prefix: null } },
  },
  brain: null,
});
const publish = (version: number, said: OperatorBody | null) =>
  appendDefinition(openDatabase(env.DB), saver, {
    operatorId: OPERATOR,
    version,
    body: said,
    at: NOW,
  });

async function make(of = OPERATOR, agreedVersion = 1) {
  const { runnerId } = await registerRunner();
  const request = {
    operatorId: of,
    runnerId,
    agreedVersion,
    name: 'mine',
    narrowing: {},
    boundTarget: null,
    brain: null,
    budgetMicroUsd: null,
  };
  return { runnerId, id: await makeInstance(env, saver, request, NOW) };
}

describe('an instance', () => {
  beforeEach(startEmpty);

  it('is read with what it runs, its owner, and consents that ask', async () => {
    const { runnerId, id } = await make(operatorId.parse('opr_tmux'));
    const read = await readInstance(env, id);
    expect(read).toMatchObject({
      accountId: LOCAL_ACCOUNT,
      instance: {
        id,
        ownerId: LOCAL_ACTOR,
        runnerId,
        state: 'active',
        definitionVersion: 1,
        consents: DEFAULT_CONSENTS,
        revision: 1,
      },
      definition: BUILT_IN_OPERATORS[0],
    });
  });

  it('is nothing where nobody made one', async () => {
    expect(await readInstance(env, instanceId.parse('ins_none'))).toBeNull();
  });

  it('runs a new version that allows no more, and an agreed one that does', async () => {
    await publish(1, body('tmux_capture_pane'));
    const { id } = await make();
    await publish(2, { ...body('tmux_capture_pane'), instructions: 'Watch well.' });
    await publish(3, body('tmux_capture_pane', 'tmux_send_keys'));
    expect((await readInstance(env, id))?.definition.version).toBe(2);
    await changeInstance(env, saver, id, { change: 'agree', version: 3 }, NOW + 1);
    const read = await readInstance(env, id);
    expect(read?.instance).toMatchObject({ definitionVersion: 3, agreedVersion: 3, revision: 2 });
  });

  it('goes on with a definition that was withdrawn, of which nothing new is made', async () => {
    await publish(1, body('tmux_capture_pane'));
    const { id } = await make();
    await publish(2, null);
    expect((await readInstance(env, id))?.definition.version).toBe(1);
    await expect(make()).rejects.toMatchObject({ code: 'operator_withdrawn' });
  });

  it('is not made of a version that nobody was shown', async () => {
    await publish(1, body('tmux_capture_pane'));
    await publish(2, body('tmux_capture_pane', 'tmux_send_keys'));
    await expect(make(OPERATOR, 1)).rejects.toMatchObject({ code: 'operator_changed' });
    await expect(make(operatorId.parse('opr_none'))).rejects.toMatchObject({
      code: 'operator_not_found',
    });
  });

  it('does nothing where what it may do cannot be read', async () => {
    await publish(1, { ...body('tmux_capture_pane'), ceiling: { tools: [] } } as never);
    await expect(make()).rejects.toMatchObject({ code: 'operator_unreadable' });
    await env.DB.exec(
      `INSERT INTO operator_instances (account_id, actor_id, instance_id, revision, operator_id, runner_id, owner_id, created_at, body, saved_by, at) VALUES ('acc_local', 'usr_local', 'ins_odd', 1, 'opr_tmux', 'run_1', 'usr_local', 1, '{"consents":{"read":"sometimes"}}', 'cli', 1)`,
    );
    await expect(readInstance(env, instanceId.parse('ins_odd'))).rejects.toMatchObject({
      code: 'operator_unreadable',
    });
  });

  it('keeps every change, and takes the same one twice as once', async () => {
    const { id } = await make(operatorId.parse('opr_tmux'));
    for (const change of ['pause', 'pause', 'resume', 'remove'] as const)
      await changeInstance(env, saver, id, { change }, NOW + 1);
    expect((await readInstance(env, id))?.instance).toMatchObject({
      state: 'removed',
      revision: 4,
    });
    await expect(changeInstance(env, saver, id, { change: 'resume' }, NOW)).rejects.toMatchObject({
      code: 'instance_removed',
    });
  });
});
