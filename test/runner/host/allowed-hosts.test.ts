import { describe, expect, it } from 'vitest';
import { isHostName, listAllowedHosts } from '../../../runner/host/allowed-hosts.ts';

describe('the hosts that the Worker answers to', () => {
  it('are loopback by both its names when nothing else is opened', () => {
    expect(listAllowedHosts(7717, [], [])).toEqual(['127.0.0.1:7717', 'localhost:7717']);
  });

  it('hold an opened address with the port', () => {
    expect(listAllowedHosts(80, ['192.168.1.5'], [])).toContain('192.168.1.5:80');
  });

  it('hold an allowed name as HTTPS sends it and with the port', () => {
    const hosts = listAllowedHosts(7717, [], ['Laptop.example.ts.net']);
    expect(hosts).toContain('laptop.example.ts.net');
    expect(hosts).toContain('laptop.example.ts.net:7717');
  });

  it('take a name that has a port as it is', () => {
    expect(listAllowedHosts(7717, [], ['box:8443'])).toEqual([
      '127.0.0.1:7717',
      'localhost:7717',
      'box:8443',
    ]);
  });
});

describe('a host name', () => {
  it.each(['laptop', 'laptop.example.ts.net', '10.0.0.2', 'box:8443'])('is %s', (text) => {
    expect(isHostName(text)).toBe(true);
  });

  it.each(['https://laptop', 'laptop/path', '', '*', 'a b', 'a,b', '-a'])('is not %j', (text) => {
    expect(isHostName(text)).toBe(false);
  });
});
