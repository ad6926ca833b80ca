import { z } from 'zod';

/**
 * What stands behind a loopback port that a closed session has: one of the runner's gates, wherever
 * it is now, or what listens on the same port of the machine.
 */
const behind = z.enum(['gate', 'model', 'machine']);
const port = z.int().min(1).max(65_535);

/** Everything that a closed session reaches. */
export const networkRules = z.object({
  /** Loopback ports of its own, by number. */
  ports: z.array(z.object({ port, to: behind })).max(100),
  /** Hosts beyond the machine, as `name:port`. */
  hosts: z.array(z.string().max(300)).max(200),
});
export type NetworkRules = z.infer<typeof networkRules>;

/** Where its proxy listens, on the session's own loopback, where nobody else is. */
export const PROXY_PORT = 24_417;

/** Where a connection goes. */
export type Way =
  | { to: 'gate' | 'model' | 'machine'; port: number }
  | { to: 'host'; host: string; port: number }
  | { to: 'nobody'; host: string };

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]', '::1'];

/**
 * Decides where a session's proxy leads who asks for `authority`, such as `api.example.com:443`. An
 * engine that asks its proxy for everything asks it for the session's own ports too.
 */
export function decideWay(authority: string, { ports, hosts }: NetworkRules): Way {
  const url = URL.parse(`https://${authority}`);
  if (!url || url.host === '' || url.username !== '' || url.pathname !== '/')
    return { to: 'nobody', host: authority.slice(0, 200) };
  const asked = addressOf(url);
  if (LOOPBACK.includes(url.hostname)) {
    const own = ports.find((each) => each.port === asked.port);
    return own ?? { to: 'nobody', host: asked.name };
  }
  return hosts.includes(asked.name)
    ? { to: 'host', host: url.hostname, port: asked.port }
    : { to: 'nobody', host: asked.name };
}

/** `name:port` of an address, whichever its scheme. */
export function addressOf({ hostname, port: given, protocol }: URL): {
  name: string;
  port: number;
} {
  const number = given === '' ? (protocol === 'http:' ? 80 : 443) : Number(given);
  return { name: `${hostname}:${number}`, port: number };
}

/** Sorts the addresses that an engine calls into the machine's own ports and hosts beyond it. */
export function reachOf(addresses: readonly string[]): NetworkRules {
  const urls = addresses.map((each) => URL.parse(each)).filter((url) => url !== null);
  const own = urls.filter(({ hostname }) => LOOPBACK.includes(hostname)).map(addressOf);
  const beyond = urls.filter(({ hostname }) => !LOOPBACK.includes(hostname)).map(addressOf);
  return {
    ports: own.map(({ port: number }) => ({ port: number, to: 'machine' as const })),
    hosts: [...new Set(beyond.map(({ name }) => name))],
  };
}
