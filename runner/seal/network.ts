import { PROXY_PORT, reachOf, type NetworkRules } from '../egress/rules.ts';

export type Reach = {
  /** Where the runner's git gate listens. */
  gatePort: number;
  /** Where its model gate does, for an engine that calls nothing else. */
  modelGatePort: number | null;
  /** What the engine calls itself, as addresses. */
  addresses: readonly string[];
  /** What the machine's limits name beside, as `name` or `name:port`. */
  hosts: readonly string[];
};

/**
 * Decides what a session reaches that is kept to its model. Behind the model gate that is the gate
 * alone: whoever could call the provider past it could send it anything, with a key of their own.
 */
export function decideRules({ gatePort, modelGatePort, addresses, hosts }: Reach): NetworkRules {
  const own = modelGatePort === null ? reachOf(addresses) : { ports: [], hosts: [] };
  const named = hosts.map((host) => (host.includes(':') ? host : `${host}:443`));
  return {
    ports: [
      { port: gatePort, to: 'gate' },
      ...(modelGatePort === null ? [] : [{ port: modelGatePort, to: 'model' as const }]),
      ...own.ports.filter(({ port }) => port !== gatePort && port !== PROXY_PORT),
    ],
    hosts: [...new Set([...own.hosts, ...named])],
  };
}

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const OWN = '127.0.0.1,localhost,::1';
/** Programs look for one spelling or the other. */
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

/** The environment of a session whose only way out is its proxy, whatever the machine's own way is. */
export function closedEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const names = PROXIES.flatMap((name) => [name, name.toLowerCase()]);
  return {
    ...env,
    ...Object.fromEntries(names.map((name) => [name, PROXY])),
    NO_PROXY: OWN,
    no_proxy: OWN,
  };
}
