import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';

/** Longest that a connection may take to be made, in ms. */
const CONNECT_MS = 30_000;

export type Target = { host: string; port: number };

/** Connects to a host the way that the machine is configured to reach it: `env` names the proxies. */
export function dial(target: Target, env: NodeJS.ProcessEnv): Promise<Socket> {
  const proxy = decideProxy(target, env);
  return proxy ? dialThrough(proxy, target) : dialStraight(target);
}

/** Decides which proxy of the machine leads to a host; null for none. */
export function decideProxy({ host, port }: Target, env: NodeJS.ProcessEnv): URL | null {
  const value = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const proxy = URL.parse(value('HTTPS_PROXY') || value('ALL_PROXY'));
  if (!proxy || !/^https?:$/.test(proxy.protocol)) return null;
  const spared = value('NO_PROXY')
    .split(/[\s,]+/)
    .filter((each) => each !== '');
  return spared.some((each) => isSpared(each, host, port)) ? null : proxy;
}

function isSpared(pattern: string, host: string, port: number): boolean {
  if (pattern === '*') return true;
  const [name = '', number] = pattern.toLowerCase().split(':');
  if (number !== undefined && Number(number) !== port) return false;
  const suffix = name.replace(/^\*?\.?/, '');
  return host === suffix || host.endsWith(`.${suffix}`);
}

export function dialStraight({ host, port }: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`${host} did not answer`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function dialThrough(proxy: URL, { host, port }: Target): Promise<Socket> {
  const login = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const ask = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = ask({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: `${host}:${port}`,
      headers: {
        host: `${host}:${port}`,
        ...(proxy.username && {
          'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}`,
        }),
      },
      timeout: CONNECT_MS,
    });
    request.once('timeout', () => request.destroy(new Error('the proxy did not answer')));
    request.once('error', reject);
    request.once('response', ({ statusCode }) =>
      request.destroy(new Error(`the proxy of this machine answered ${statusCode}`)),
    );
    request.once('connect', ({ statusCode }, socket: Socket, head) => {
      socket.setTimeout(0);
      if (statusCode !== 200) {
        socket.destroy();
        reject(new Error(`the proxy of this machine answered ${statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}
