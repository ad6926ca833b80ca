import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminals } from '../../../../runner/terminal/registry.ts';
import { executeTerminalCall } from '../../../../runner/terminal/execute.ts';
import { archiveLog, pruneRuns } from '../../../../runner/terminal/survive/archive.ts';
import { TerminalKeeper } from '../../../../runner/terminal/survive/keeper.ts';
import { sweep } from '../../../../runner/terminal/survive/sweep.ts';
import { OPEN, TerminalHouse } from '../../../support/terminal-house.ts';

const KEEP_MS = 60_000;
let house: TerminalHouse;
let now: number;
beforeEach(() => {
  house = new TerminalHouse();
  now = 1_800_000_000_000;
});
afterEach(() => house.close());

const pass = (later = 0, root = house.terminals.own) => sweep(root, KEEP_MS, (now += later));
const names = async () =>
  (await house.do('tmux_list_sessions', {})).sessions.map(({ name }) => name);
async function ended(name: string, says = 'last words') {
  const { pane } = await house.session(name, ['sh', '-c', `echo "${says}"; exit 3`]);
  await house.ends(pane);
  return pane;
}

describe('sessions that ended', () => {
  it('are kept, then closed with their log', async () => {
    await ended('build', 'made in 3 s');
    const working = await house.shell('working');
    expect(await pass()).toEqual([{ session: 'build', care: 'note_end', log: null }]);
    expect(await pass(KEEP_MS - 1)).toEqual([]);
    expect((await names()).toSorted()).toEqual(['build', 'working']);
    const [closed] = await pass(1);
    expect(closed).toMatchObject({ session: 'build', care: 'close' });
    expect(readFileSync(closed?.log ?? '', 'utf8')).toContain('made in 3 s');
    expect(statSync(closed?.log ?? '').mode & 0o777).toBe(0o600);
    expect(await names()).toEqual(['working']);
    expect(await house.screen(working.pane)).toMatch(/[$#]$/);
  });

  it('are known as ended by a runner that was started since', async () => {
    await ended('build');
    await pass();
    house.terminals.tmux.stop();
    const next = openTerminals(house.root, house.env, () => OPEN);
    expect(await sweep(next.own, KEEP_MS, now + KEEP_MS)).toMatchObject([{ care: 'close' }]);
    next.tmux.stop();
  });

  it('are not closed once something works in them again', async () => {
    const pane = await ended('build');
    await pass();
    house.tmux('own', 'respawn-pane', '-t', pane.split(':').at(-1) ?? '', 'cat');
    expect(await pass(KEEP_MS)).toMatchObject([{ care: 'forget_end' }]);
    expect(await pass(KEEP_MS)).toEqual([]);
    expect(await names()).toEqual(['build']);
  });

  it('of others are left alone, on our own socket too', async () => {
    await house.shell('ours');
    house.tmux('own', 'new-session', '-d', '-s', 'theirs', 'true');
    await pass();
    await pass(KEEP_MS * 10);
    expect((await names()).toSorted()).toEqual(['ours', 'theirs']);
    const another = { ...house.terminals.own, marker: 'another-runner' };
    await ended('gone');
    await pass(0, another);
    expect(await pass(KEEP_MS * 10, another)).toEqual([]);
    expect(await names()).toContain('gone');
  });

  it('are closed by nobody when tmux does not answer', async () => {
    const { own } = house.terminals;
    const deaf = Object.assign(Object.create(own.server), {
      call: async () => ({ ok: false, output: Buffer.alloc(0), problem: 'timed out' }),
    });
    await expect(pass(0, { ...own, server: deaf })).rejects.toThrow(/did not answer/);
  });
});

describe('panes', () => {
  it('survive their runner, and the next one works on in them', async () => {
    const { pane } = await house.shell('long');
    await house.do('terminal_run_command', { target: pane, command: 'kept=yes', where: 'shell' });
    house.terminals.tmux.stop();
    const next = openTerminals(house.root, house.env, () => OPEN);
    const params = { target: pane, command: 'echo $kept', where: 'shell' };
    const answer = await executeTerminalCall({ tool: 'terminal_run_command', params }, OPEN, next);
    expect(answer).toMatchObject({ ok: true, value: { text: 'yes', exitCode: 0 } });
    next.tmux.stop();
  });
});

describe('the keeper of sessions', () => {
  it('touches nothing while tmux is closed, and says what keeps it from looking', async () => {
    await ended('build');
    const logged: string[] = [];
    const log = (_level: string, message: string) => void logged.push(message);
    const closed = new TerminalKeeper(house.terminals.own, () => ({ ...OPEN, backends: [] }), log);
    await closed.pass();
    await closed.pass(Date.now() + 1e9);
    expect(await names()).toEqual(['build']);
    const broken = new TerminalKeeper(
      house.terminals.own,
      () => {
        throw new Error('line 3');
      },
      log,
    );
    await broken.pass();
    expect(logged).toEqual(['terminal sessions could not be looked after']);
    const open = new TerminalKeeper(house.terminals.own, () => OPEN, log);
    open.start(10_000);
    await open.pass();
    open.stop();
    await open.pass(Date.now() + 1e9);
    expect(await names()).toEqual([]);
    expect(logged.at(-1)).toBe('a terminal session that ended is closed');
  });
});

describe('files of sessions', () => {
  it('are logs whose names lead nowhere else, the newest of them', () => {
    const path = archiveLog(house.root, '../../x y', 'text', now);
    expect(path.startsWith(join(house.root, 'logs'))).toBe(true);
    expect(path).toMatch(/______x_y\.log$/);
    for (let index = 1; index <= 205; index++) archiveLog(house.root, 'a', 'x', now + index);
    expect(readdirSync(join(house.root, 'logs'))).toHaveLength(200);
    expect(existsSync(path)).toBe(false);
  });

  it('of commands go after a day, and not sooner', () => {
    const at = (name: string, ageMs: number) => {
      const directory = join(house.root, 'runs', name);
      mkdirSync(directory, { recursive: true });
      utimesSync(directory, (now - ageMs) / 1000, (now - ageMs) / 1000);
    };
    at('old', 25 * 3_600_000);
    at('young', 23 * 3_600_000);
    expect(pruneRuns(house.root, now)).toBe(1);
    expect(readdirSync(join(house.root, 'runs'))).toEqual(['young']);
    expect(pruneRuns(join(house.root, 'nowhere'), now)).toBe(0);
  });
});
