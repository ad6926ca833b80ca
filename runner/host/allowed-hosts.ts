import { LOOPBACK } from './port.ts';

/**
 * The values of the Host header that the Worker answers to: loopback by its names, each address
 * that was opened, and each name that a person allowed. A name is allowed without a port, as a
 * browser sends it for HTTPS, and with this one; a name given with a port is taken as it is.
 */
export function listAllowedHosts(
  port: number,
  addresses: readonly string[],
  names: readonly string[],
): string[] {
  const withPort = [LOOPBACK, 'localhost', ...addresses].map((host) => `${host}:${port}`);
  const named = names
    .map((name) => name.toLowerCase())
    .flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  return [...new Set([...withPort, ...named])];
}

/** Whether a text is a host name, with or without a port: no scheme, no path. */
export function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text);
}
