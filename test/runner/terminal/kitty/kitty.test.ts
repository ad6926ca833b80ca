import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askKitty, tellKitty } from '../../../../runner/terminal/kitty/remote.ts';
import { locateAgent } from '../../../../runner/terminal/locate-agent.ts';
import { RealKitty } from '../../../support/kitty.ts';
import { OPEN, TerminalHouse } from '../../../support/terminal-house.ts';
import { until } from '../../../support/until.ts';

const SECRET = 'never-shown-8812';
const kitty = new RealKitty();
let house: TerminalHouse;
let target: string;

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  await kitty.start(SECRET);
  house = new TerminalHouse();
  house.limits = { ...OPEN, kittySocket: kitty.socket };
  const { panes } = await house.do('terminal_list', { backend: 'kitty' });
  target = panes[0]?.target ?? '';
  await house.shows(target, /[$#]$/);
}, 90_000);
afterAll(() => {
  house?.close();
  kitty.close();
});

/** Types as the person does. */
const type = (text: string) =>
  tellKitty(kitty.socket, 'send-text', { match: 'id:1', data: `text:${text}` });

describe.runIf(process.platform === 'linux')('a real kitty', () => {
  it('lists its windows, without their environment', async () => {
    const { panes } = await house.do('terminal_list', { backend: 'kitty' });
    expect(panes).toMatchObject([{ backend: 'kitty', state: 'shell', session: null, ours: false }]);
    expect(JSON.stringify(panes)).not.toContain(SECRET);
    expect(JSON.stringify(await askKitty(kitty.socket, 'ls', {}))).toContain(SECRET);
  });

  it('says what it can do', async () => {
    const [connector] = house.terminals.others;
    expect(await connector?.capabilities()).toMatchObject({
      backend: 'kitty',
      available: true,
      shell: false,
      live: false,
      note: null,
    });
  });

  it('takes text, and Enter once its line holds just that', async () => {
    const sent = await house.do('terminal_send_text', { target, text: 'echo "o"urs', enter: true });
    expect(sent).toMatchObject({ receipt: 'delivered', bytes: 12 });
    await house.shows(target, /^ours$/m);
  });

  it('runs a command in a window of its own, with its exit code, and closes that', async () => {
    const ran = await house.do('terminal_run_command', {
      target,
      command: 'echo a; echo b; exit 7',
    });
    expect(ran).toMatchObject({ status: 'ended', exitCode: 7, text: 'a\nb', receipt: 'delivered' });
    const windows = async () => (await house.do('terminal_list', { backend: 'kitty' })).panes;
    await until('it to be closed', async () => (await windows()).length === 1);
    const inShell = { target, command: 'ls', where: 'shell' } as const;
    expect(await house.refusal('terminal_run_command', inShell)).toBe('terminal_unsupported');
  });

  it('tells a command that is not over as running', async () => {
    const ran = await house.do('terminal_run_command', {
      target,
      command: 'sleep 60',
      timeoutMs: 300,
    });
    expect(ran).toMatchObject({ status: 'running', exitCode: null, receipt: 'queued' });
    await house.do('terminal_close', { target: ran.target });
    expect(await house.refusal('terminal_capture', { target: ran.target })).toBe('terminal_gone');
  });

  it('is where an agent asks that runs in it, while the limits open it', async () => {
    const agent = join(house.directory, 'claude');
    copyFileSync('/bin/sleep', agent);
    const command = `${agent} 60`;
    const ran = await house.do('terminal_run_command', { target, command, timeoutMs: 300 });
    const { panes } = await house.do('terminal_list', { backend: 'kitty' });
    const pid = panes.find((pane) => pane.target === ran.target)?.agent?.pid ?? 0;
    const found = await locateAgent(house.terminals, house.limits, [1, pid]);
    expect(found).toEqual({ target: ran.target, pid });
    expect(await locateAgent(house.terminals, { backends: ['tmux'] }, [pid])).toBeNull();
    await house.do('terminal_close', { target: ran.target });
  });

  it('does not join its words to a person’s', async () => {
    await type('rm -rf important');
    await house.shows(target, /rm -rf important$/);
    const refused = [
      await house.refusal('terminal_send_text', { target, text: '/x', enter: true }),
      await house.refusal('terminal_send_keys', { target, keys: ['Enter'] }),
    ];
    expect(refused).toEqual(['terminal_unsent_text', 'terminal_unsent_text']);
    expect(await house.screen(target)).toMatch(/rm -rf important$/);
  });

  it('has no window of an earlier one, and none but by its exact id', async () => {
    const [, pid] = target.split(':');
    for (const gone of [`kitty:${Number(pid) + 1}:1`, `kitty:${pid}:99`])
      expect(await house.refusal('terminal_capture', { target: gone })).toBe('terminal_gone');
    expect(
      await house.refusal('terminal_capture', { target: `kitty:${pid}:1 or state:focused` }),
    ).toBe('bad_request');
  });

  it('is not trusted on a socket that others could put there', async () => {
    const capabilities = () => house.terminals.others[0]?.capabilities();
    chmodSync(kitty.directory, 0o777);
    expect((await capabilities())?.note).toMatch(/Others can replace/);
    expect(await house.refusal('terminal_capture', { target })).toBe('terminal_unavailable');
    chmodSync(kitty.directory, 0o700);
    const file = join(house.directory, 'file');
    writeFileSync(file, '');
    house.limits = { ...house.limits, kittySocket: file };
    expect((await capabilities())?.note).toMatch(/is not a socket/);
    house.limits = { ...house.limits, kittySocket: join(house.directory, 'nothing') };
    expect(await house.refusal('terminal_list', { backend: 'kitty' })).toBe('terminal_unavailable');
  });
});
