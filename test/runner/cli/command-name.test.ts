import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('a command that is on the path', () => {
  it('goes by its own name', async () => {
    for (const name of [undefined, '', 'pilothouse']) {
      const { stdout } = await runAs(name, 'launch', '--help');
      expect(stdout).toContain('Usage: pilothouse launch');
      expect(stdout).not.toContain('npx');
    }
  });
});
