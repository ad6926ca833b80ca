import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { EgressClient } from '../../../runner/egress/client.ts';
import { PROXY_PORT } from '../../../runner/egress/rules.ts';
import { until } from '../../support/until.ts';

const SESSION = sessionId.parse('ses_one');
const GATE = 4_000;

let runner: string;
let client: EgressClient;
let servers: Server[];
beforeEach(() => {
  runner = mkdtempSync(join(tmpdir(), 'egress-'));
  servers = [];
  client = clientOf();
});
afterEach(async () => {
  await client.close();
  for (const server of servers) server.close();
  rmSync(runner, { recursive: true });
});
const clientOf = () => new EgressClient(join(runner, 'egress'), process.env, () => undefined);

/** Somebody of the machine who says a word to whoever calls. */
async function listen(word: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(word);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** What is said by a socket of the session's, after `first` was said to it. */
const hear = (path: string, first = '') =>
  new Promise<string>((resolve) => {
    let said = '';
    const socket = connect(path, () => void socket.write(first));
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.on('error', () => resolve('nobody'));
    socket.on('close', () => resolve(said));
  });
const gateIs = (port: number) => writeFileSync(join(runner, 'gate.port'), String(port));
const RULES = { ports: [{ port: GATE, to: 'gate' as const }], hosts: [] };

describe('the egress proxy', () => {
  it('has a socket for each port of a session, which nobody else may use', async () => {
    const ports = await client.open(SESSION, RULES);
    const bridges = ['bridge.mjs', 'bridge.pl'];
    expect(readdirSync(ports).toSorted()).toEqual([String(PROXY_PORT), String(GATE), ...bridges]);
    expect(statSync(join(ports, String(GATE))).mode & 0o777).toBe(0o600);
    expect(statSync(ports).mode & 0o777).toBe(0o700);
  });

  it('finds a gate where it is now, and nobody where it was', async () => {
    gateIs(await listen('the gate'));
    const path = join(await client.open(SESSION, RULES), String(GATE));
    expect(await hear(path)).toBe('the gate');
    gateIs(await listen('the gate, moved'));
    expect(await hear(path)).toBe('the gate, moved');
    rmSync(join(runner, 'gate.port'));
    expect(await hear(path)).not.toContain('the gate');
  });

  it('goes on without the runner, and the next runner finds it', async () => {
    gateIs(await listen('the gate'));
    const path = join(await client.open(SESSION, RULES), String(GATE));
    const next = clientOf();
    const more = { ports: [{ port: 4_001, to: 'gate' as const }], hosts: [] };
    expect(join(await next.add(SESSION, more), String(GATE))).toBe(path);
    expect(await hear(path)).toBe('the gate');
    expect(await hear(path.replace(String(GATE), '4001'))).toBe('the gate');
    await next.close();
  });

  it('takes up its sessions when it has to be started again', async () => {
    gateIs(await listen('the gate'));
    const path = join(await client.open(SESSION, RULES), String(GATE));
    // Behind the back of this client.
    const another = clientOf();
    await another.add(SESSION, { ports: [], hosts: [] });
    await another.close();
    await until('it to be gone', async () => (await hear(path)) === 'nobody');
    const other = sessionId.parse('ses_two');
    await client.open(other, { ports: [], hosts: [] });
    expect(await hear(path)).toBe('the gate');
  });

  it('takes up every session but one whose directory is spoilt', async () => {
    gateIs(await listen('the gate'));
    const path = join(await client.open(SESSION, RULES), String(GATE));
    await client.close();
    const spoilt = join(runner, 'egress', 'ses_before');
    mkdirSync(spoilt);
    writeFileSync(join(spoilt, 'ports'), 'no directory');
    writeFileSync(join(spoilt, 'rules.json'), JSON.stringify(RULES));
    client = clientOf();
    await client.open(sessionId.parse('ses_two'), RULES);
    expect(await hear(path)).toBe('the gate');
  });

  it('reaches less from the next process of a session on, and more at once', async () => {
    gateIs(await listen('the gate'));
    const machine = await listen('a model');
    const rules = { ...RULES, ports: [...RULES.ports, { port: machine, to: 'machine' as const }] };
    const path = join(await client.open(SESSION, rules), String(machine));
    expect(await hear(path)).toBe('a model');
    await client.open(SESSION, RULES);
    expect(existsSync(path)).toBe(false);
    expect(await hear(path)).toBe('nobody');
  });

  it('tells which hosts were not reached, the first twenty, however often', async () => {
    const ports = await client.open(SESSION, { ports: [], hosts: [] });
    const ask = (host: string) =>
      hear(join(ports, String(PROXY_PORT)), `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    expect(await ask('a.example.com:443')).toMatch(
      /^HTTP\/1.1 403 [^]*closed to a.example.com:443/,
    );
    await ask('a.example.com:443');
    for (let host = 0; host < 25; host++) await ask(`${host}.example.com:443`);
    const told = client.readRefused(SESSION);
    expect(told.slice(0, 2)).toEqual(['a.example.com:443', '0.example.com:443']);
    expect(told).toHaveLength(20);
  });

  it('forgets a session that is over', async () => {
    const ports = await client.open(SESSION, RULES);
    client.leave(SESSION);
    await until('its place to be gone', async () => !existsSync(ports));
    expect(client.readRefused(SESSION)).toEqual([]);
  });

  it('is asked nothing by whoever does not know its key', async () => {
    await client.open(SESSION, RULES);
    const port = readFileSync(join(runner, 'egress', 'port'), 'utf8');
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`http://127.0.0.1:${port}/control/ses_one`, {
        method,
        headers: { authorization: 'Bearer guessed' },
      });
      expect(answer.status).toBe(401);
    }
  });
});
