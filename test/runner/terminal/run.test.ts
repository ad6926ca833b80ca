import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHELL_ARGV, TerminalHouse } from '../../support/terminal-house.ts';

let house: TerminalHouse;
beforeAll(() => void (house = new TerminalHouse()));
afterAll(() => house.close());

const shells = ['bash', 'zsh', 'fish', 'dash'] as const;

describe.each(shells)('a command in the person’s %s', (shell) => {
  let target: string;
  beforeAll(
    async () => void (target = (await house.shell(`in-${shell}`, [...SHELL_ARGV[shell]])).pane),
  );
  const run = (command: string, timeoutMs = 10_000) =>
    house.do('terminal_run_command', { target, command, where: 'shell', timeoutMs });

  it('gives its output and its real exit code', async () => {
    expect(await run('echo hello; echo "it’s; $HOME" | cat; false')).toMatchObject({
      status: 'ended',
      exitCode: 1,
      receipt: 'delivered',
      text: `hello\nit’s; ${house.env['HOME']}`,
      omitted: 0,
    });
    expect(await run('sh -c "exit 42"')).toMatchObject({ exitCode: 42, text: '' });
    expect(await run('true')).toMatchObject({ exitCode: 0, text: '' });
  });

  it('may have several lines, quotes and what looks like a mark', async () => {
    const text = `printf 'a\\nb\\n'\nprintf '%s\\n' "x'y" '\`z\`' '#{pid}' ';'\n`;
    expect((await run(text)).text).toBe("a\nb\nx'y\n`z`\n#{pid}\n;");
  });

  it('changes the shell as one that was typed, and leaves nothing else behind', async () => {
    await run('true');
    const before = readdirSync(join(house.root, 'runs'));
    await run('cd /');
    expect((await run('pwd')).text).toBe('/');
    expect(readdirSync(join(house.root, 'runs'))).toEqual(before);
  });

  it('that is not over in time goes on, and another one is refused meanwhile', async () => {
    expect(await run('sleep 1; echo late', 100)).toMatchObject({
      status: 'running',
      exitCode: null,
    });
    expect(
      await house.refusal('terminal_run_command', { target, command: 'true', where: 'shell' }),
    ).toBe('terminal_busy');
    await house.shows(target, /late\n.*[$#%]$/);
    expect(await run('echo next')).toMatchObject({ text: 'next', exitCode: 0 });
  });
});

describe('a command in a window of its own', () => {
  let target: string;
  beforeAll(async () => void (target = (await house.shell('windows')).pane));
  const run = (command: string, timeoutMs = 20_000) =>
    house.do('tmux_run_command', { target, command, timeoutMs });

  it('gives its output and exit code, and its window is closed', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      status: 'ended',
      exitCode: 3,
      text: 'out\nerr',
    });
    expect(house.tmux('own', 'list-windows', '-t', 'windows').trim().split('\n')).toHaveLength(1);
  });

  it('is right every time, also when it ends at once', async () => {
    for (let round = 0; round < 12; round++)
      expect(await run(`printf 'r%s' ${round}; exit ${round}`)).toMatchObject({
        exitCode: round,
        text: `r${round}`,
      });
  });

  it('is killed by a signal with a shell’s number for it', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ status: 'ended', exitCode: 137 });
  });

  it('keeps the beginning and the end of a flood, in bounded memory, and says what is left out', async () => {
    const ran = await run('seq 1 400000; exit 7', 60_000);
    expect(ran).toMatchObject({ status: 'ended', exitCode: 7 });
    expect(ran.text.length).toBeLessThanOrEqual(200_000);
    expect(ran.text.endsWith('\n399999\n400000')).toBe(true);
    expect(ran.omitted).toBeGreaterThan(1_000_000);
  });

  it('does not wait for what is in front in the pane', async () => {
    house.type(target, 'sleep 30', 'Enter');
    await house.shows(target, /sleep 30/);
    expect(await run('echo beside')).toMatchObject({ text: 'beside' });
    house.type(target, 'C-c');
  });

  it('is told as interrupted when its window is closed', async () => {
    const ran = run('sleep 30');
    const other = () =>
      house.tmux('own', 'list-panes', '-s', '-t', 'windows', '-F', '#{pane_id}').trim().split('\n');
    while (other().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    house.tmux('own', 'kill-pane', '-t', other()[1] ?? '');
    expect(await ran).toMatchObject({ status: 'interrupted', exitCode: null });
    expect(existsSync(join(house.root, 'runs'))).toBe(true);
  });
});
