import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decideAddresses, listAddresses, openAddress } from '../../../runner/host/open-address.ts';

const entry = (address: string, over = {}) => ({
  address,
  family: 'IPv4' as const,
  internal: false,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null,
  ...over,
});
const INTERFACES = {
  lo: [entry('127.0.0.1', { internal: true })],
  wan: [entry('203.0.113.7')],
  lan: [entry('192.168.1.5'), { ...entry('fe80::1'), family: 'IPv6' as const, scopeid: 2 }],
};

describe('choosing what --host opens', () => {
  it('takes the address of the private network when none is named', () => {
    expect(decideAddresses(true, INTERFACES)).toEqual(['192.168.1.5']);
  });

  it('takes what is named', () => {
    expect(decideAddresses('203.0.113.7', INTERFACES)).toEqual(['203.0.113.7']);
  });

  it('takes every address for 0.0.0.0, and never loopback', () => {
    expect(decideAddresses('0.0.0.0', INTERFACES)).toEqual(['203.0.113.7', '192.168.1.5']);
  });

  it('finds none on a machine without a network', () => {
    expect(decideAddresses(true, { lo: INTERFACES.lo })).toEqual([]);
    expect(listAddresses({})).toEqual([]);
  });
});

/** The Worker's place is taken by a server on 127.0.0.1; the address to open is 127.0.0.2. */
async function anEcho(answer: (received: string) => string): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    void text(socket).then((received) => socket.end(answer(received)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe.skipIf(process.platform !== 'linux')('an opened address', () => {
  it('passes every byte both ways', async () => {
    const port = await anEcho((received) => received.repeat(2));
    const opened = await openAddress('127.0.0.2', port);
    onTestFinished(() => opened.close());
    const client = connect({ port, host: '127.0.0.2', allowHalfOpen: true });
    const sent = 'x'.repeat(1_000_000);
    client.end(sent);
    expect((await text(client)).length).toBe(2 * sent.length);
  });

  it('lets nobody in any more once it is closed, and drops who is in', async () => {
    const port = await anEcho(() => '');
    const opened = await openAddress('127.0.0.2', port);
    const client = connect(port, '127.0.0.2');
    client.on('error', () => undefined);
    await once(client, 'connect');
    const closed = once(client, 'close');
    opened.close();
    await closed;
    const late = connect(port, '127.0.0.2');
    const [error] = await once(late, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('says so when the port is busy on that address', async () => {
    const port = await anEcho(() => '');
    const other = createServer().listen(port, '127.0.0.2');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    await expect(openAddress('127.0.0.2', port)).rejects.toThrow(
      `Port ${port} on 127.0.0.2 is used`,
    );
  });
});
