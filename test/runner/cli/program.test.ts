import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentFor, runPilothouse } from '../../support/installation.ts';
import { temporaryDirectory } from '../host/temporary.ts';

const COMMANDS = [
  ['up'],
  ['link'],
  ['launch'],
  ['watch'],
  ['usage'],
  ['acts'],
  ['sessions', 'list'],
  ['sessions', 'show'],
  ['sessions', 'say'],
  ['sessions', 'interrupt'],
  ['sessions', 'stop'],
  ['sessions', 'retry'],
  ['sessions', 'diff'],
  ['sessions', 'land'],
  ['sessions', 'fork'],
  ['sessions', 'preview'],
  ['sessions', 'dismiss'],
  ['sessions', 'compact'],
  ['sessions', 'restart'],
  ['sessions', 'restore'],
  ['sessions', 'approve'],
  ['sessions', 'deny'],
  ['decisions', 'list'],
  ['decisions', 'show'],
  ['decisions', 'keys', 'make'],
  ['decisions', 'keys', 'list'],
  ['decisions', 'keys', 'revoke'],
  ['runner', 'start'],
  ['runner', 'status'],
  ['runner', 'doctor'],
];
const run = (args: readonly string[], env = environmentFor('/nowhere')) => runPilothouse(args, env);

describe('the command line', () => {
  it.each(COMMANDS)('explains %s %s with --help, and takes no token', async (...command) => {
    const { exitCode, stdout, stderr } = await run([...command, '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(`Usage: pilothouse ${command.join(' ')}`);
    expect(stdout).not.toMatch(/--token\b/);
  });

  it('shows what there is, and the exit codes, when it is asked for nothing', async () => {
    const { exitCode, stdout } = await run([]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not reachable/);
    expect(stdout).toContain('130 ended at once');
  });

  it.each([
    [['lauch', 'x']],
    [['launch']],
    [['sessions', 'list', '--limit', 'many']],
    [['launch', '--budget', '-1', 'x']],
    [['launch', '--approvals', 'yolo', 'x']],
    [['usage', '--by', 'mood']],
    [['runner', 'start', 'now']],
  ])('ends with 2 for %j and says why', async (args) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
  });

  it('explains a command of a command that `help` is asked about', async () => {
    const { exitCode, stdout } = await run(['help', 'sessions', 'say']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: pilothouse sessions say');
  });

  it.each([[['help', 'nope']], [['help', 'sessions', 'nope']]])(
    'says for %j that there is no such command',
    async (args) => {
      const { exitCode, stderr } = await run(args);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^error: unknown command 'nope'/);
      const told = await run([...args, '--json']);
      expect({ exitCode: told.exitCode, stderr: told.stderr }).toEqual({ exitCode: 2, stderr: '' });
      expect(JSON.parse(told.stdout).error.message).toBe("error: unknown command 'nope'");
    },
  );

  it('ends with 3 where nothing runs, with the way out', async () => {
    const { exitCode, stdout, stderr } = await run(['sessions', 'list']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toBe(
      'Pilothouse is not running on /nowhere/.pilothouse. Start it with npm start, name another directory with --data, or set PILOTHOUSE_URL and PILOTHOUSE_TOKEN.\n',
    );
  });

  it('ends with 3 for an instance that was killed, without a stack', async () => {
    const home = temporaryDirectory();
    const instance = { url: 'http://127.0.0.1:1', pid: 1, cliToken: 't', runnerId: null };
    writeFileSync(join(home, 'instance.json'), JSON.stringify(instance));
    const { exitCode, stderr } = await run(['usage', '--data', home]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1\. [^\n]*\n$/);
  });

  it.each([
    [['sessions', 'list', '--json'], 3, 'not_running'],
    [['launch', '--json'], 2, 'usage'],
  ])('prints one error object with --json for %j', async (args, exitCode, code) => {
    const finished = await run(args);
    expect({ exitCode: finished.exitCode, stderr: finished.stderr }).toEqual({
      exitCode,
      stderr: '',
    });
    expect(JSON.parse(finished.stdout)).toEqual({
      error: { code, message: expect.stringMatching(/\w/) },
    });
  });
});
