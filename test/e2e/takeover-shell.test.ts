import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProcess } from '../../runner/process/process-table.ts';
import { MAIN } from '../support/installation.ts';
import { PersonShell } from '../support/person-shell.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

/** A person's own terminal, in which a full-screen program of a session was shown. */
let world: RehearsalWorld;
let shell: PersonShell;
let network: TcpProxy;
let sessionId: string;
let before: Record<string, string>;

beforeAll(async () => {
  const usage = { do: 'usage' as const, inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 };
  network = await TcpProxy.listen();
  const script = { turns: [[{ do: 'text' as const, text: 'First.' }, usage]] };
  world = await RehearsalWorld.start(script, '--allow-host', network.host);
  network.leadTo(world.installation.url);
  sessionId = await world.launch('Rehearse');
  await world.untilTurns(sessionId, 1);
  const far = { PILOTHOUSE_URL: network.url, PILOTHOUSE_TOKEN: world.cliToken };
  shell = new PersonShell({ ...world.installation.env, ...far }, world.repository);
  shell.run('echo what was there before');
  before = await shell.modes();
});
afterAll(async () => {
  shell?.stop();
  await network?.close();
  await world?.stop();
});

const takeover = (name: string, ...options: string[]) =>
  shell.run(
    shell.tracked(
      [process.execPath, '--disable-warning=ExperimentalWarning', MAIN].join(' ') +
        ` takeover ${[sessionId, ...options].join(' ')}`,
      name,
    ),
  );
/** Takes the session over, and has its program ask for everything that a terminal can be asked. */
const paint = async (name: string, ...options: string[]) => {
  await shell.clear();
  shell.run('echo what was there before');
  takeover(name, ...options);
  await shell.see(/so far|Painted/);
  shell.run('/paint');
  await shell.see(/Painted\./);
};

it('takes every mode of a full-screen program, which would stay behind', async () => {
  await paint('left');
  shell.type('C-]');
  await shell.see(/left=0/);
  expect(shell.read()).toMatch(/what was there before[^]*Handed back/);
  expect(await shell.modes()).toEqual(before);
  await world.untilState(sessionId, 'parked');
});

/** A shell gives up the rest of its line with what was interrupted, so that it is asked after. */
async function interrupt(): Promise<void> {
  const pid = await shell.pid();
  process.kill(pid, 'SIGINT');
  await until('the command to have ended', () => readProcess(pid)?.zombie ?? true);
  shell.run('echo "INT=$?"');
}

const ENDINGS: [string, number, () => Promise<unknown> | void][] = [
  ['TERM', 143, async () => process.kill(await shell.pid(), 'SIGTERM')],
  ['HUP', 129, async () => process.kill(await shell.pid(), 'SIGHUP')],
  ['INT', 130, () => interrupt()],
  ['cut', 3, () => network.cut()],
  ['frozen', 3, () => network.freeze()],
  ['exit', 0, () => shell.run('/exit')],
];

it.each(ENDINGS)('is as it was before: %s, exit code %i', async (name, code, happen) => {
  network.restore();
  await paint(name, '--force');
  await happen();
  await shell.see(new RegExp(`${name}=${code}\\b`));
  expect(shell.read()).toMatch(/what was there before/);
  if (code !== 0) expect(shell.read().replaceAll('\n', '')).toMatch(/--force` to go on/);
  expect(await shell.modes()).toEqual(before);
});

it('is the person’s while the command is stopped, and shows the session again when it goes on', async () => {
  network.restore();
  await paint('stopped', '--force');
  process.kill(await shell.pid(), 'SIGTSTP');
  await shell.see(/stopped=\d+/);
  expect(await shell.modes()).toEqual(before);
  await shell.clear();
  shell.run('fg');
  await shell.see(/Painted\./);
  shell.run('/exit');
  await shell.see(/handed back with it/);
  expect(await shell.modes()).toEqual(before);
});

it('ends with the terminal that it runs in, and what was opened goes on', async () => {
  await world.untilState(sessionId, 'parked');
  await paint('closed');
  const pid = await shell.pid();
  shell.close();
  await until('the command to have ended', () => readProcess(pid)?.zombie ?? true);
  expect((await world.detail(sessionId)).view.state).toBe('taken_over');
  const released = await world.cli('takeover', sessionId, '--release');
  expect([released.stderr, released.exitCode]).toEqual(['', 0]);
  await world.untilState(sessionId, 'parked');
});
