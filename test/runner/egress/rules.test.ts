import { describe, expect, it } from 'vitest';
import { decideProxy } from '../../../runner/egress/dial.ts';
import { decideWay, PROXY_PORT, reachOf } from '../../../runner/egress/rules.ts';
import { closedEnvironment, decideRules } from '../../../runner/seal/network.ts';

const RULES = {
  ports: [
    { port: 4_000, to: 'gate' as const },
    { port: 11_434, to: 'machine' as const },
  ],
  hosts: ['api.example.com:443', 'mirror.example.com:8443'],
};

describe('where a proxy leads', () => {
  it.each([
    ['api.example.com:443', { to: 'host', host: 'api.example.com', port: 443 }],
    ['API.Example.com:443', { to: 'host', host: 'api.example.com', port: 443 }],
    ['mirror.example.com:8443', { to: 'host', host: 'mirror.example.com', port: 8_443 }],
    ['127.0.0.1:4000', { to: 'gate', port: 4_000 }],
    ['localhost:11434', { to: 'machine', port: 11_434 }],
    // However loopback is written, it is the same (WHATWG URL, host parsing).
    ['2130706433:11434', { to: 'machine', port: 11_434 }],
  ])('%s is allowed', (authority, way) => {
    expect(decideWay(authority, RULES)).toEqual(way);
  });

  it.each([
    'api.example.com:80',
    'api.example.com:8443',
    'example.com:443',
    'api.example.com.evil.com:443',
    'evil-api.example.com:443',
    '127.0.0.1:22',
    '127.0.0.2:4000',
    '[::1]:22',
    '169.254.169.254:80',
    'user@api.example.com:443',
    'api.example.com:443/path',
    'api.example.com:443@evil.com:443',
    '',
    ':443',
    'api.example.com:99999',
    '/',
  ])('%j is not', (authority) => {
    expect(decideWay(authority, RULES)).toMatchObject({ to: 'nobody' });
  });
});

describe('what a session reaches', () => {
  const reach = { gatePort: 4_000, modelGatePort: null, addresses: [], hosts: [] };

  it('is its gate, its model by every address of it, and what the machine names', () => {
    const addresses = [
      'https://api.example.com/v1',
      'http://127.0.0.1:11434',
      'not an address',
      '',
    ];
    const hosts = ['registry.example.com', 'mirror.example.com:8443'];
    expect(decideRules({ ...reach, addresses, hosts })).toEqual({
      ports: [
        { port: 4_000, to: 'gate' },
        { port: 11_434, to: 'machine' },
      ],
      hosts: ['api.example.com:443', 'registry.example.com:443', 'mirror.example.com:8443'],
    });
  });

  it('is no provider where the model gate stands before it', () => {
    const addresses = ['https://api.example.com', 'http://127.0.0.1:11434'];
    const rules = decideRules({ ...reach, modelGatePort: 5_000, addresses });
    expect(rules.hosts).toEqual([]);
    expect(rules.ports.map(({ to }) => to)).toEqual(['gate', 'model']);
  });

  it('takes the port of an address by its scheme', () => {
    expect(reachOf(['http://a.example.com', 'https://b.example.com'])).toEqual({
      ports: [],
      hosts: ['a.example.com:80', 'b.example.com:443'],
    });
  });

  it('is said in the environment, in the place of the machine’s own way', () => {
    const env = closedEnvironment({
      https_proxy: 'http://corporate:3128',
      NO_PROXY: '.corp.example.com',
      PATH: '/bin',
    });
    const proxy = `http://127.0.0.1:${PROXY_PORT}`;
    expect(env).toMatchObject({ HTTPS_PROXY: proxy, https_proxy: proxy, http_proxy: proxy });
    expect(env).toMatchObject({ NO_PROXY: '127.0.0.1,localhost,::1', PATH: '/bin' });
  });
});

describe('the machine’s own proxy', () => {
  const target = { host: 'api.example.com', port: 443 };
  const through = (env: NodeJS.ProcessEnv) => decideProxy(target, env)?.href ?? null;

  it('is asked where the environment names one', () => {
    expect(through({ HTTPS_PROXY: 'http://proxy:3128' })).toBe('http://proxy:3128/');
    expect(through({ all_proxy: 'http://proxy:3128' })).toBe('http://proxy:3128/');
    expect(through({})).toBeNull();
    expect(through({ HTTP_PROXY: 'http://proxy:3128' })).toBeNull();
    expect(through({ HTTPS_PROXY: 'socks5://proxy:1080' })).toBeNull();
  });

  it.each(['*', 'example.com', '.example.com', '*.example.com', 'a, api.example.com:443'])(
    'is not asked for what NO_PROXY=%s spares',
    (spared) => {
      expect(through({ HTTPS_PROXY: 'http://proxy:3128', no_proxy: spared })).toBeNull();
    },
  );

  it.each(['ample.com', 'api.example.com:8443', 'other.com', ''])(
    'is asked past NO_PROXY=%j',
    (spared) => {
      expect(through({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: spared })).not.toBeNull();
    },
  );
});
