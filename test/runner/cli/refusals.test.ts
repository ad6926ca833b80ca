import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorCode, ERRORS } from '../../../protocol/errors.ts';
import { EXIT } from '../../../runner/failure.ts';
import { runCommand, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { created, SESSION } from '../../support/protocol-builders.ts';
import { accepted, anApproval, running } from '../../support/transcript-events.ts';

/** Every command on the API, in a form that works. */
const COMMANDS: readonly (readonly string[])[] = [
  ['link'],
  ['launch', '--engine', 'rehearsal', 'Go'],
  ['sessions', 'list'],
  ['sessions', 'show', SESSION],
  ['sessions', 'say', SESSION, 'Go'],
  ['sessions', 'interrupt', SESSION],
  ['sessions', 'stop', SESSION],
  ['sessions', 'approve', SESSION],
  ['sessions', 'deny', SESSION],
  ['usage'],
  ['acts'],
  ['runner', 'status'],
];

/** What every failed command prints with `--json`. */
const failure = z.strictObject({
  error: z.strictObject({ code: z.string().min(1), message: z.string().min(1) }),
});

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop'));
  const session = new FakeSession(SESSION, aRunner('run_1', 'laptop'));
  cloud.addSession(session, created(), accepted(), ...running());
  cloud.append(session, { type: 'approval/requested', request: anApproval() });
});
afterEach(() => cloud.close());

describe.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
  'pilothouse %s',
  (_name, command) => {
    it('works, with nothing on standard error and one JSON value for a program', async () => {
      const ended = await runOn(cloud, ...command, '--json');
      expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toEqual({
        exitCode: EXIT.ok,
        stderr: '',
      });
      expect(JSON.parse(ended.stdout)).toBeTypeOf('object');
    });

    it('ends with 4 and the sentence when the token is not one', async () => {
      const env = { PILOTHOUSE_URL: cloud.url, PILOTHOUSE_TOKEN: 'guessed' };
      expect(await runCommand(command, env)).toEqual({
        exitCode: EXIT.refused,
        stdout: '',
        stderr: `${ERRORS.unauthenticated.sentence}\n`,
      });
    });

    it('ends with 3 when nothing answers, as a sentence and as an object', async () => {
      const env = { PILOTHOUSE_URL: 'http://127.0.0.1:1', PILOTHOUSE_TOKEN: 't' };
      const told = await runCommand(command, env);
      expect({ exitCode: told.exitCode, stdout: told.stdout }).toEqual({
        exitCode: EXIT.unreachable,
        stdout: '',
      });
      expect(told.stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1\. [^\n]+\n$/);
      const object = await runCommand([...command, '--json'], env);
      expect(failure.parse(JSON.parse(object.stdout)).error.code).toBe('unreachable');
    });

    it.each([
      ['<html>Bad gateway</html>', 502],
      ['', 500],
      ['{"error":"no"}', 400],
      ['[]', 200],
      ['{"items":7}', 200],
      ['null', 200],
    ])('ends with 1 at the answer %j with %i, and without a stack', async (body, status) => {
      cloud.garble(/./, body, status);
      const ended = await runOn(cloud, ...command, '--json');
      expect({ exitCode: ended.exitCode, stderr: ended.stderr }).toEqual({
        exitCode: EXIT.failed,
        stderr: '',
      });
      expect(failure.parse(JSON.parse(ended.stdout)).error.code).toBe('unexpected_answer');
      expect(ended.stdout).not.toMatch(/\n\s+at /);
    });

    it('ends with 2 at an option that is none, before it asks for anything', async () => {
      const ended = await runOn(cloud, ...command, '--mood', 'good');
      expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({
        exitCode: EXIT.usage,
        stdout: '',
      });
      expect(ended.stderr).toMatch(/^error: unknown option '--mood'/);
      expect(cloud.asked).toEqual([]);
    });

    it('brings its token in the header of every request', async () => {
      await runOn(cloud, ...command);
      expect(cloud.asked.length).toBeGreaterThan(0);
      expect(new Set(cloud.asked.map(({ authorization }) => authorization))).toEqual(
        new Set([`Bearer ${cloud.token}`]),
      );
      expect(JSON.stringify(cloud.asked.map(({ path, query }) => [path, query]))).not.toContain(
        cloud.token,
      );
    });
  },
);

describe('the exit code of a refusal', () => {
  it.each(errorCode.options)('of %s follows from its status', async (code) => {
    cloud.refuse(/./, code);
    const { status } = ERRORS[code];
    const away = status === 503 || status === 504;
    const expected = away ? EXIT.unreachable : status >= 500 ? EXIT.failed : EXIT.refused;
    const { exitCode, stdout } = await runOn(cloud, 'usage', '--json');
    expect({ exitCode, code: failure.parse(JSON.parse(stdout)).error.code }).toEqual({
      exitCode: expected,
      code,
    });
  });

  it('of a code that only a newer cloud knows is 1, for nobody can say what it means', async () => {
    const error = { code: 'too_new', message: 'x', retryable: false, context: {}, requestId: 'r' };
    cloud.garble(/./, JSON.stringify({ error }), 409);
    const { exitCode, stderr } = await runOn(cloud, 'usage');
    expect(exitCode).toBe(EXIT.failed);
    expect(stderr).toBe('The answer was 409 without a reason that this version understands.\n');
  });
});
