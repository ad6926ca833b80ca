import { gradeOf, type Checkout } from '../guard/checkout.ts';
import type { LaunchPorts } from './launcher.ts';
import { emit, patch, type Draft } from './session-io.ts';
import type { SessionPass } from './session-pass.ts';

/** Looks which hosts a session did not reach that is kept to its model. */
export function countUnreached(
  { ports }: { ports: Pick<LaunchPorts, 'readRefused'> },
  pass: Pick<SessionPass, 'state' | 'input'>,
  checkout: Checkout | null,
): void {
  if (!checkout || gradeOf(checkout).network !== 'model-only') return;
  const { sessionId, unreached: told = [] } = pass.state;
  const hosts = ports.readRefused(sessionId).filter((host) => !told.includes(host));
  if (hosts.length > 0) pass.input({ kind: 'unreached', hosts });
}

/** Tells of hosts that the session did not reach, each once. */
export function unreached(draft: Draft, hosts: readonly string[]): void {
  const { unreached: told = [] } = draft.state;
  patch(draft, { unreached: [...told, ...hosts] });
  const names = hosts.map((host) => host.replace(/:443$/, '')).join(', ');
  emit(draft, {
    type: 'notice/raised',
    level: 'info',
    code: 'host_not_reached',
    message: `It did not reach ${names}: its network is kept to its model. \`hosts\` of this repository in limits.toml on that machine lets a host through from the next turn on; a launch with the network \`open\` lets everything.`,
  });
}
