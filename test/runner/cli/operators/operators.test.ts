import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brainKeyId } from '../../../../protocol/ids.ts';
import { instanceDetail } from '../../../../protocol/operator-http.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { aBrainKey } from '../../../support/pilot-builders.ts';

const TARGET = 'tmux:default:812.1700000000:%3';
let cloud: FakeCloud;
let home: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_laptop', 'laptop'));
  home = mkdtempSync(join(tmpdir(), 'pilothouse-operators-'));
});
afterEach(async () => {
  await cloud.close();
  rmSync(home, { recursive: true });
});

const run = (...args: string[]) => runOn(cloud, 'operators', ...args);
const make = async (...args: string[]) =>
  instanceDetail.parse(await jsonOf(cloud, 'operators', 'make', 'opr_tmux', ...args));
const sent = () => cloud.requests('POST').at(-1)?.body;
function file(text: string): string {
  const path = join(home, 'operator.yaml');
  writeFileSync(path, text);
  return path;
}

describe('pilothouse operators', () => {
  it('lists those there are with what each may do, and shows one in full', async () => {
    const { stdout } = await run('list');
    expect(stdout).toMatch(/opr_iterm2.+May not run commands in it\. Not verified on a Mac\./);
    const shown = await run('show', 'kitty');
    expect(shown.stdout).toContain('one kitty window that you choose');
    expect(shown.stdout).toContain('terminal_run_command');
    expect(shown.stdout).toContain('never an instruction to you');
  });

  it('publishes what it printed as a file, and a next version on top', async () => {
    const { stdout } = await run('show', 'opr_tmux', '--file');
    const mine = file(stdout.replace('tmux Operator', 'Watcher'));
    expect((await run('publish', mine)).stdout).toContain('Published version 1 of Watcher');
    expect((await run('publish', mine, '--operator', 'watcher')).stdout).toContain('version 2');
    expect(sent()).toMatchObject({ basedOn: 1, body: { name: 'Watcher' } });
    await run('withdraw', 'Watcher');
    expect((await run('list')).stdout).not.toContain('Watcher');
  });

  it.each([
    ['no file', 'nothing-there.yaml'],
    ['a file that is no operator', null],
  ])('refuses %s, says the field and what one looks like', async (_, path) => {
    const refused = await run('publish', path ?? file('name: x\ninstructions: y\n'));
    expect(refused.exitCode).toBe(EXIT.usage);
    expect(refused.stderr).toContain('operators show opr_tmux --file');
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('an instance from the command line', () => {
  it('is made on this machine with consents that ask, and says what is missing', async () => {
    const { stdout } = await run('make', 'tmux', '--name', 'build watcher');
    expect(sent()).toEqual({
      operatorId: 'opr_tmux',
      runnerId: 'run_laptop',
      agreedVersion: 1,
      name: 'build watcher',
      narrowing: {},
      boundTarget: null,
      consents: { read: 'always', send: 'ask', run: 'ask', kill: 'never' },
      brain: null,
      budgetMicroUsd: null,
    });
    expect(stdout).toContain('Asks you before it types or runs a command.');
    expect(stdout).toContain('No terminal is bound to it');
  });

  it('is made with a terminal, limits, consents, a budget and a model', async () => {
    cloud.brainKeys = [aBrainKey({ name: 'work' })];
    const limits = ['--only-tool', 'tmux_capture_pane', '--prefix', 'build', '--send', 'always'];
    const brain = ['--budget', '2.50', '--brain-key', 'work', '--model', 'm-1'];
    await make('--target', TARGET, '--label', 'build', ...limits, ...brain);
    expect(sent()).toMatchObject({
      narrowing: {
        tools: ['tmux_capture_pane'],
        surfaceOptions: { tmux: { prefix: 'build' } },
      },
      boundTarget: { target: TARGET, label: 'build' },
      consents: { read: 'always', send: 'always' },
      brain: { model: 'm-1' },
      budgetMicroUsd: 2_500_000,
    });
  });

  it('changes one thing at a time, by its name or a part of its id', async () => {
    await make('--name', 'watcher');
    for (const [args, change] of [
      [
        ['bind', 'watcher', '--target', TARGET],
        { change: 'bind', boundTarget: { target: TARGET, label: TARGET } },
      ],
      [['consent', 'made1', '--kill', 'ask'], { change: 'consent', consents: { kill: 'ask' } }],
      [
        ['narrow', 'watcher', '--single'],
        { change: 'narrow', narrowing: { surfaceOptions: { tmux: { targets: 'single' } } } },
      ],
      [['narrow', 'watcher'], { change: 'narrow', narrowing: {} }],
      [['budget', 'watcher', '--usd', '1'], { change: 'budget', budgetMicroUsd: 1_000_000 }],
      [['budget', 'watcher', '--none'], { change: 'budget', budgetMicroUsd: null }],
      [['brain', 'watcher', '--none'], { change: 'brain', brain: null }],
      [['bind', 'watcher', '--none'], { change: 'bind', boundTarget: null }],
      [['pause', 'watcher'], { change: 'pause' }],
      [['resume', 'watcher'], { change: 'resume' }],
    ] as const) {
      expect((await run(...args)).exitCode).toBe(EXIT.ok);
      expect(sent()).toEqual(change);
    }
    expect((await run('instances')).stdout).toContain('watcher');
    await run('remove', 'watcher');
    expect((await run('instances')).stdout).toContain('No operator is in use');
  });

  it('agrees to what allows more only by the number of the version that was shown', async () => {
    const yaml = (tools: string) =>
      file(
        `name: Own\ninstructions: Look.\nbrain: null\nceiling:\n  tools: [${tools}]\n  surfaceOptions:\n    tmux: { backends: [tmux], targets: single, prefix: null }\n`,
      );
    await run('publish', yaml('tmux_capture_pane'));
    await run('make', 'Own', '--name', 'mine');
    await run('publish', yaml('tmux_capture_pane, tmux_send_keys'), '--operator', 'Own');
    const shown = await run('agree', 'mine');
    expect(shown.stdout).toContain('Version 2 of its operator allows more');
    expect(shown.stdout).toMatch(/operators agree ins_\w+ --to 2/);
    expect(sent()).toMatchObject({ basedOn: 1 });
    expect((await run('agree', 'mine', '--to', '2')).stdout).not.toContain('allows more');
    expect((await run('agree', 'mine')).stdout).toContain('Nothing waits');
  });

  it.each([
    [['bind', 'watcher'], 'either --target'],
    [['bind', 'watcher', '--target', 'build'], 'no id of a terminal'],
    [['consent', 'watcher'], 'Say what you agree to'],
    [['consent', 'watcher', '--kill', 'maybe'], 'choices'],
    [['narrow', 'watcher', '--prefix', '*'], 'letters, digits'],
    [['budget', 'watcher'], 'either --usd or --none'],
    [['brain', 'watcher'], 'either --brain-key'],
  ])('refuses %j as wrong usage, and changes nothing', async (args, words) => {
    await make('--name', 'watcher');
    const refused = await run(...args);
    expect(refused.exitCode).toBe(EXIT.usage);
    expect(refused.stderr).toContain(words);
    expect(cloud.requests('POST')).toHaveLength(1);
  });

  it('is thought for by a key that there is, and by no other of the same name', async () => {
    await make('--name', 'watcher');
    const brain = ['brain', 'watcher', '--model', 'm'];
    const none = await run(...brain);
    expect([none.exitCode, none.stderr]).toEqual([
      EXIT.refused,
      expect.stringContaining('brain-keys add'),
    ]);
    cloud.brainKeys = [aBrainKey(), aBrainKey({ keyId: brainKeyId.parse('bky_2') })];
    const several = await run(...brain);
    expect([several.exitCode, several.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('Say which key'),
    ]);
    expect((await run(...brain, '--brain-key', 'work')).stderr).toContain('no one key');
    await run(...brain, '--brain-key', 'bky_2');
    expect(sent()).toEqual({ change: 'brain', brain: { keyId: 'bky_2', model: 'm' } });
  });

  it('is refused where it is not there, or several are meant', async () => {
    await make('--name', 'one');
    await make('--name', 'other');
    expect((await run('pause', 'nobody')).stderr).toContain('operators instances');
    const both = await run('pause', 'ins_');
    expect(both.exitCode).toBe(EXIT.refused);
    expect(both.stderr).toContain('2 are meant');
  });
});
