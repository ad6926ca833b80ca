import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { World } from '../e2e/world.ts';
import { endProcessesOf, isLeftOver, listSeen } from '../support/processes.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { until } from '../support/until.ts';

/** What a test began is over before its directory goes, whoever the parent of it is by then. */
const linux = process.platform === 'linux';
const of = (directory: string) =>
  listSeen().filter(({ argv, environment }) => `${argv}${environment}`.includes(directory));

it.runIf(linux)('a machine of a test leaves no tmux behind, and nothing in its panes', async () => {
  const world = new World();
  const socket = join(world.home, 'sock');
  const env = { PATH: process.env['PATH'], HOME: world.home };
  // A program that the end of its terminal does not end.
  const program = ['sh', '-c', 'trap "" HUP; while :; do sleep 1; done'];
  spawnSync('tmux', ['-S', socket, 'new-session', '-d', '--', ...program], { env });
  await until('its processes', () => of(world.home).length >= 2);
  await world.stop();
  expect(of(world.home)).toEqual([]);
  expect(existsSync(world.home)).toBe(false);
});

it.runIf(linux)('a house of terminals leaves nothing behind that left its session', async () => {
  const house = new TerminalHouse();
  const { pane } = await house.shell('it');
  house.type(pane, 'setsid sleep 1797 &', 'Enter');
  await until('it', () => of(house.directory).some(({ argv }) => argv.includes('1797')));
  house.close();
  expect(of(house.directory)).toEqual([]);
});

it.runIf(linux)('what stands still is ended as well', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pilothouse-standing-'));
  const child = spawn('sleep', ['1797'], { env: { HOME: directory }, stdio: 'ignore' });
  await until('it', () => of(directory).length === 1);
  child.kill('SIGSTOP');
  endProcessesOf(directory);
  expect(of(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});

it('what is left behind is told by the directory that is gone, of this copy alone', () => {
  const here = join(import.meta.dirname, '..', '..');
  const directory = join(tmpdir(), 'pilothouse-e2e-abCd3f');
  const seen = {
    pid: 1,
    argv: `tmux\0-S\0${directory}/sock`,
    environment: `P=${here}`,
  };
  const gone = () => false;
  expect(isLeftOver(seen, gone)).toBe(true);
  expect(isLeftOver(seen, (path) => path === directory)).toBe(false);
  expect(isLeftOver({ ...seen, environment: 'P=/elsewhere' }, gone)).toBe(false);
  expect(isLeftOver({ ...seen, environment: `P=${here}-2` }, gone)).toBe(false);
  expect(isLeftOver({ ...seen, argv: 'tmux' }, gone)).toBe(false);
});

it('what a person runs beside the tests is none of theirs', () => {
  const environment = `PWD=${join(import.meta.dirname, '..', '..')}`;
  const run = (argv: string) => isLeftOver({ pid: 1, argv, environment }, () => false);
  expect(run(`bash\0-c\0npm test 2>&1 | tee ${join(tmpdir(), 'test-output.log')}`)).toBe(false);
  expect(run(`tail\0-f\0${join(tmpdir(), 'run-a1B2c3.log')}`)).toBe(false);
  expect(run(`node\0dev.js\0--out\0${join(tmpdir(), 'my-server')}`)).toBe(false);
});
