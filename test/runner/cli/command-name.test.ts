import { globSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aBreach } from '../../support/breach-builders.ts';
import { runCommand } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop'));
});
afterEach(() => cloud.close());

const runAs = (command: string | undefined, ...args: string[]) =>
  runCommand(args, {
    PILOTHOUSE_URL: cloud.url,
    PILOTHOUSE_TOKEN: cloud.token,
    PILOTHOUSE_COMMAND: command,
  });

describe('in a clone, where commands are run through npx', () => {
  const NPX = 'npx pilothouse';

  it('the help shows usage and examples that can be typed', async () => {
    const { stdout } = await runAs(NPX, 'launch', '--help');
    expect(stdout).toContain('Usage: npx pilothouse launch');
    expect(stdout).not.toMatch(/(?<!npx )pilothouse [a-z]/);
  });

  it('a launch says how to watch it', async () => {
    const { stdout } = await runAs(NPX, 'launch', '--engine', 'rehearsal', 'Go');
    expect(stdout).toContain('  npx pilothouse watch ses_');
  });

  it('a refusal says what to run, to a person and to a program', async () => {
    cloud.refuse(/sessions/, 'session_not_found');
    const told = '`npx pilothouse sessions list`';
    expect((await runAs(NPX, 'sessions', 'show', 'ses_1')).stderr).toContain(told);
    expect((await runAs(NPX, 'sessions', 'show', 'ses_1', '--json')).stdout).toContain(told);
  });
});

describe('what is written for people', () => {
  const NPX = 'npx pilothouse';
  const breach = (command: string, rule: string) => ({
    ...aBreach({ command, rule }),
    sessionId: 'ses_1',
    sessionTitle: '`pilothouse launch x` fails',
    engineId: 'claude',
    policy: [],
    at: 1,
    override: null,
  });

  it('names our commands, and none in text that came from outside', async () => {
    const items = [breach('pilothouse up: pilothouse up', 'It said: `pilothouse merge now`')];
    cloud.ledgers.set('breaches', { items, nextCursor: null });
    const { stdout } = await runAs(NPX, 'breaches');
    expect(stdout).toContain(`to go on  pilothouse breaches`.replace('pilothouse', NPX));
    expect(stdout).toContain('`pilothouse launch x` fails');
    expect(stdout).toContain('by        pilothouse up: pilothouse up\n');
    expect(stdout).toContain('It said: `pilothouse merge now`');
    expect(stdout).not.toContain('\u2060');
  });

  it('is as it is for programs', async () => {
    const items = [breach('pilothouse up', 'x')];
    cloud.ledgers.set('breaches', { items, nextCursor: null });
    const { stdout } = await runAs(NPX, 'breaches', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ command: 'pilothouse up' }] });
    expect(stdout).not.toContain('npx');
  });

  it('puts each command where it is found: no sentence of ours escapes', () => {
    const files = globSync('{runner,protocol}/**/*.ts');
    expect(files.length).toBeGreaterThan(500);
    const escaped = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
        .filter((line) =>
          /(?<!^ *|[`'"]|: |\\n *| {2}|\$\(|ssh laptop )pilothouse [a-z-]/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(escaped).toEqual([]);
  });

  it('goes through one place, but for what is written as it is', () => {
    const AS_IT_IS = [
      // Where it is done.
      'output.ts',
      // Files, JSON and a log.
      'await-turn.ts',
      'engines/files.ts',
      'ledgers/export.ts',
      'operators/definitions.ts',
      'runner-start.ts',
      // The engine’s own terminal.
      'takeover/takeover.ts',
      'watch.ts',
    ];
    const files = globSync('runner/cli/**/*.ts');
    expect(files.length).toBeGreaterThan(80);
    const writing = files.filter((file) =>
      /std(out|err)\.write\(|console\.(log|error|info)\(/.test(readFileSync(file, 'utf8')),
    );
    expect(writing.map((file) => file.replace('runner/cli/', '')).toSorted()).toEqual(
      AS_IT_IS.toSorted(),
    );
  });
});

describe('a command that is on the path', () => {
  it('goes by its own name', async () => {
    for (const name of [undefined, '', 'pilothouse']) {
      const { stdout } = await runAs(name, 'launch', '--help');
      expect(stdout).toContain('Usage: pilothouse launch');
      expect(stdout).not.toContain('npx');
    }
  });
});
