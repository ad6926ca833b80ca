import { createServer, type AddressInfo, type Server } from 'node:net';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { until } from '../../support/until.ts';
import { aRepository, gitIn, SESSION } from '../guard/repositories.ts';

/** Somebody on the machine's loopback who says who it is. */
async function listen(words: string): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${words}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

describe.skipIf(sealProblem !== null)('a session that is kept to its model', () => {
  let room: SealedRoom;
  let remote: string;
  let model: Awaited<ReturnType<typeof listen>>;
  let other: Awaited<ReturnType<typeof listen>>;
  beforeEach(async () => {
    [model, other] = [await listen('THE-MODEL'), await listen('ANOTHER-SERVICE')];
    const repository = aRepository();
    remote = `${repository}-remote.git`;
    gitIn(repository, 'clone', '--quiet', '--bare', repository, remote);
    gitIn(repository, 'remote', 'add', 'origin', remote);
    room = await SealedRoom.make(repository, 'sealed', 'model-only');
    room.addresses = [`http://127.0.0.1:${model.port}/v1`];
  });
  afterEach(async () => {
    await room.end();
    for (const { server } of [model, other]) server.close();
  });

  it('reaches its model, from the first moment', async () => {
    const said = await room.say(`curl -sS http://127.0.0.1:${model.port}/v1/messages`);
    expect(said).toContain('THE-MODEL');
  });

  it('leaves nobody behind who keeps its seal standing', async () => {
    const { argv, directory, env } = await room.plan('echo done');
    const [file, ...args] = argv;
    // Resolves once nobody has its output any more.
    const ended = await promisify(execFile)(file, args, { cwd: directory, env, timeout: 60_000 });
    expect(ended.stdout).toBe('done\n');
  });

  it('reaches no other service of the machine, no address and no name, and has no other device', async () => {
    const said = await room.say(
      [
        `curl -sS -m 5 http://127.0.0.1:${other.port}/ || echo "loopback $?"`,
        'curl -sS -m 5 --noproxy \'*\' https://1.1.1.1/ || echo "address $?"',
        'curl -sS -m 5 --noproxy \'*\' https://example.com/ || echo "name $?"',
        'python3 -c "import socket; socket.create_connection((\'1.1.1.1\', 53), 3)" || echo "python $?"',
        'grep -c : /proc/net/dev',
      ].join('; '),
    );
    expect(said).not.toContain('ANOTHER-SERVICE');
    // curl(1): 7 could not connect, 6 could not resolve.
    expect(said).toMatch(/^loopback 7$/m);
    expect(said).toMatch(/^address 7$/m);
    expect(said).toMatch(/^name 6$/m);
    expect(said).toMatch(/^python 1$/m);
    expect(said).toMatch(/^1$/m);
  });

  it('is told by its proxy what to do instead, and the runner which hosts it did not reach', async () => {
    const said = await room.say(
      'curl -sSv https://example.com/ 2>&1; curl -sS http://example.org/; curl -sS https://example.com/',
    );
    expect(said).toContain('CONNECT tunnel failed, response 403');
    expect(said).toContain('the network of this session is closed to example.org:80');
    expect(room.keeper.readRefused(SESSION)).toEqual(['example.com:443', 'example.org:80']);
  });

  it('does not get past the hosts of its model by asking the proxy for the machine', async () => {
    const ask = (target: string) =>
      `curl -sS -m 5 --noproxy '' -p -x "$HTTPS_PROXY" http://${target}/ 2>&1 || true`;
    const said = await room.say(
      [ask(`127.0.0.1:${other.port}`), ask(`localhost:${model.port}`)].join('; '),
    );
    expect(said).toContain('403');
    expect(said).toContain('THE-MODEL');
    expect(said).not.toContain('ANOTHER-SERVICE');
  });

  it('goes on with what it reaches when its proxy had to be started again', async () => {
    const { exited, lines } = await room.start(
      `echo begun; until [ -e go ]; do sleep 0.05; done; curl -sS http://127.0.0.1:${model.port}/`,
    );
    await until('it to have begun', () => lines.includes('begun'));
    await room.keeper.closeNetworks();
    // As for the next command of the session.
    await room.plan('true');
    writeFileSync(join(room.checkout.directory, 'go'), '');
    await exited;
    expect(lines.join()).toContain('THE-MODEL');
  });

  it('pushes through the gate, also when the runner was started again meanwhile', async () => {
    const work = 'git commit -q --allow-empty -m';
    await room.say(`${work} work; git push -q origin HEAD:refs/heads/feature`);
    expect(gitIn(remote, 'log', '-1', '--format=%s', 'feature')).toBe('work');
    await room.restart();
    const said = await room.say(`${work} again; git push origin HEAD:refs/heads/feature`);
    expect(said).toContain('HEAD -> feature');
    expect(gitIn(remote, 'log', '-1', '--format=%s', 'feature')).toBe('again');
  });
});
