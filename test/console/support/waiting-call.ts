import type { MockWorld } from '../../../console/mock/world.ts';
import type { GateRequest } from '../../../protocol/gate.ts';
import type { InstanceDetail } from '../../../protocol/operator-http.ts';

/** An operator in use whose call waits for the person; answers the id of the instance. */
export function addWaitingCall(world: MockWorld, over: Partial<GateRequest> = {}): string {
  const { instance } = world.operators.answer(
    'POST',
    '/v1/instances',
    {
      operatorId: 'opr_tmux',
      runnerId: world.runners[0]?.runnerId,
      agreedVersion: 1,
      name: 'build watcher',
    },
    1_000,
  ) as InstanceDetail;
  world.operators.chats.requests.push({
    callId: 'chat.4.0',
    instanceId: instance.id,
    actor: { kind: 'agent', id: instance.id },
    tool: 'tmux_run_command',
    risk: 'run',
    target: null,
    params: { command: 'npm test' },
    rule: 'consent',
    reason: 'you are asked about what it runs',
    at: 1_000,
    expiresAt: Date.now() + 60_000,
    ...over,
  });
  return instance.id;
}
