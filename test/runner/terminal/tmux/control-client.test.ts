import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlClient } from '../../../../runner/terminal/tmux/control-client.ts';
import { ControlClients } from '../../../../runner/terminal/tmux/clients.ts';
import { listPanes, type PaneFacts } from '../../../../runner/terminal/tmux/panes.ts';
import { ownServerArgv } from '../../../../runner/terminal/tmux/create.ts';
import { TmuxServer, tmuxEnvironment } from '../../../../runner/terminal/tmux/server.ts';
import { TerminalHouse } from '../../../support/terminal-house.ts';
import { until } from '../../../support/until.ts';

let house: TerminalHouse;
let server: TmuxServer;
beforeAll(() => {
  house = new TerminalHouse();
  const argv = ownServerArgv(house.root, `${house.root}/tmux.sock`);
  server = new TmuxServer('own', argv, tmuxEnvironment(house.env));
});
afterAll(() => house.close());

async function factsOf(target: string): Promise<PaneFacts> {
  const id = target.split(':').at(-1);
  const found = (await listPanes(server)).find(({ pane }) => pane === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}
const attach = (session: string, output = true) =>
  ControlClient.attach({ argv: server.argv, env: server.env, session, output });

describe('a client in control mode', () => {
  it('gets answers in order, and tmux’s own words where it refuses', async () => {
    const { pane } = await house.shell('answers');
    const client = await attach((await factsOf(pane)).sessionId);
    const words = ["it's", '$HOME', 'a;', '#{x} ## "q"', '{', '~'];
    const answers = await Promise.all(
      words.map((word) =>
        client
          .run(['set-option', '-g', '@x', word])
          .then(() => client.run(['show-options', '-gv', '@x'])),
      ),
    );
    expect(answers).toHaveLength(words.length);
    for (const [index, word] of words.entries()) {
      await client.run(['set-option', '-g', '@x', word]);
      const [line] = await client.run(['show-options', '-gv', '@x']);
      expect([index, line?.toString()]).toEqual([index, word]);
    }
    await expect(client.run(['kill-pane', '-t', '%999'])).rejects.toThrow(/can't find pane/);
    await expect(client.run(['no-such-thing'])).rejects.toThrow(/unknown command/);
    expect(() => client.run(['display-message', 'a\nkill-server'])).toThrow(RangeError);
    expect((await client.run(['display-message', '-p', 'still here'])).join('')).toBe('still here');
    client.close();
  });

  it('gets the output of its session, byte by byte as it was written', async () => {
    const script = 'stty raw -echo; cat; exec sleep 60';
    const { pane } = await house.session('bytes', ['sh', '-c', script]);
    const facts = await factsOf(pane);
    const client = await attach(facts.sessionId);
    const seen: Buffer[] = [];
    client.onOutput((from, data) => void (from === facts.pane && seen.push(data)));
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at).filter((at) => at !== 4));
    for (let at = 0; at < bytes.length; at += 50)
      await client.run([
        'send-keys',
        '-t',
        facts.pane,
        '-H',
        ...[...bytes.subarray(at, at + 50)].map((byte) => byte.toString(16)),
      ]);
    await until('all of it', () => Buffer.concat(seen).length >= bytes.length, {
      tell: () => `${Buffer.concat(seen).length} of ${bytes.length}`,
    });
    expect(Buffer.concat(seen)).toEqual(bytes);
    client.close();
  });

  it('is told of windows that come, and ends with its session', async () => {
    const { pane, target } = await house.shell('ends');
    const client = await attach((await factsOf(pane)).sessionId);
    const notices: string[] = [];
    client.onNotice((name) => void notices.push(name));
    house.tmux('own', 'new-window', '-d', '-t', '=ends:');
    await until('the notice', () => notices.includes('window-add'));
    const left = client.closed;
    const answer = client.run(['kill-session', '-t', '=ends']);
    await answer.catch(() => undefined);
    await left;
    expect(client.ended).toBe(true);
    await expect(client.run(['display-message', '-p', 'x'])).rejects.toThrow(/terminal program/);
    expect(await house.refusal('terminal_capture', { target })).toBe('terminal_gone');
  });

  it('is refused where there is no such session, and does not wait for ever', async () => {
    await house.shell('there');
    await expect(attach('$999')).rejects.toThrow(/can't find session/);
  });

  it('leaves its session as it was when it is let go', async () => {
    const { pane } = await house.shell('stays');
    const client = await attach((await factsOf(pane)).sessionId);
    client.close();
    await client.closed;
    await until('nobody', async () => (await factsOf(pane)).attached === 0);
    expect((await factsOf(pane)).dead).toBe(false);
  });
});

describe('a server that does not answer', () => {
  it('is never taken for one that did what it was asked', async () => {
    const deaf = new TerminalHouse();
    const { pane } = await deaf.shell('deaf');
    const pid = Number(pane.split(':')[2]?.split('.')[0]);
    process.kill(pid, 'SIGSTOP');
    const codes = await Promise.all([
      deaf.refusal('terminal_capture', { target: pane }),
      deaf.refusal('terminal_send_text', { target: pane, text: 'x' }),
      deaf.refusal('tmux_kill_session', { target: pane }),
    ]);
    process.kill(pid, 'SIGCONT');
    expect(codes).toEqual(['terminal_failed', 'terminal_failed', 'terminal_failed']);
    deaf.close();
  });
});

describe('the clients of a server', () => {
  it('are one for commands, and one for each session that is watched', async () => {
    const first = await factsOf((await house.shell('first')).pane);
    const second = await factsOf((await house.shell('second')).pane);
    const clients = new ControlClients(server);
    const uses = await Promise.all([
      clients.command(first),
      clients.command(second),
      clients.watch(first),
      clients.watch(first),
      clients.watch(second),
    ]);
    const [one, other, ...watching] = uses.map((use) => use?.client);
    expect(one).toBe(other);
    expect(watching[0]).toBe(watching[1]);
    expect(new Set([one, ...watching]).size).toBe(3);
    clients.stop();
    await until('all to end', () => uses.every((use) => use?.client.ended));
  });

  it('are attached again after one has ended', async () => {
    const facts = await factsOf((await house.shell('again')).pane);
    const clients = new ControlClients(server);
    const use = await clients.watch(facts);
    use.client.close();
    await use.client.closed;
    const next = await clients.watch(facts);
    expect(next.client).not.toBe(use.client);
    expect((await next.client.run(['display-message', '-p', 'x'])).join('')).toBe('x');
    clients.stop();
  });

  it('never attach where leaving would end the session', async () => {
    const { pane } = await house.shell('fragile');
    house.tmux('own', 'set-option', '-t', '=fragile:', 'destroy-unattached', 'on');
    const facts = await factsOf(pane).catch(() => null);
    // Some versions end it at once, with nobody attached.
    if (!facts) return;
    const clients = new ControlClients(server);
    expect(() => clients.watch(facts)).toThrow(/destroy-unattached/);
    clients.stop();
  });
});
