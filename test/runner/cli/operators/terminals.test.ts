import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WatchablePane } from '../../../../protocol/panes.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';

const PANE: WatchablePane = {
  target: 'tmux:default:812.1700000000:%3',
  backend: 'tmux',
  session: 'build',
  title: '\u001b]0;not me',
  program: 'node',
  directory: '/home/me/app',
  size: { columns: 80, rows: 24 },
  state: 'copy_mode',
  agent: { engine: 'claude', pid: 7, evidence: 'package' },
  ours: false,
  shown: 'live',
};

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_laptop', 'laptop'), aRunner('run_desk', 'desk'));
});
afterEach(() => cloud.close());
const run = (...args: string[]) => runOn(cloud, 'operators', ...args);

it('lists the terminals of a machine, with the id that another command takes', async () => {
  cloud.ledgers.set('panes', { panes: [PANE], watch: true, drive: true });
  const { stdout, exitCode } = await run('terminals', '--runner', 'desk');
  expect(exitCode).toBe(EXIT.ok);
  const [head, row] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^TERMINAL\s+SESSION\s+RUNS\s+IN\s+STATE$/);
  expect(row).toMatch(
    /^tmux:default:812\.1700000000:%3\s+build\s+node \(claude\)\s+\/home\/me\/app\s+copy mode$/,
  );
  expect(cloud.asked.at(-1)?.path).toBe('/v1/runners/run_desk/panes');
  const listed = await jsonOf(cloud, 'operators', 'terminals', '--runner', 'desk');
  expect(listed).toMatchObject({ panes: [{ target: PANE.target }] });
});

it('says what to look at where there is none', async () => {
  expect((await run('terminals', '--runner', 'desk')).stdout).toContain('runner doctor');
});

it('is named where a terminal is needed', async () => {
  const refused = await run('make', 'opr_tmux', '--runner', 'desk', '--target', 'build');
  expect([refused.exitCode, refused.stderr]).toEqual([
    EXIT.usage,
    expect.stringContaining('operators terminals'),
  ]);
});
