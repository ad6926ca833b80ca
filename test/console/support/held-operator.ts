import type { MockWorld } from '../../../console/mock/world.ts';
import { instanceId, operatorId } from '../../../protocol/ids.ts';
import { aBreach } from '../../support/breach-builders.ts';
import { addWaitingCall } from './waiting-call.ts';

/** An operator in use that did what the policy forbids; answers the id of the instance. */
export function addHeldOperator(world: MockWorld): string {
  const id = addWaitingCall(world);
  world.operators.chats.requests.splice(0);
  world.operators.breaches.push({
    ...aBreach(),
    sessionId: instanceId.parse(id),
    sessionTitle: 'build watcher',
    engineId: 'operator',
    policy: [],
    drive: {
      operatorId: operatorId.parse('opr_tmux'),
      callId: 'chat.4.0',
      target: 'tmux:own:1.1:%1',
    },
    at: 1_000,
    override: null,
  });
  return id;
}
