import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS, PilothouseError } from '../../../protocol/errors.ts';
import { paintFor, print, printFailure, QuietFailure } from '../../../runner/cli/output.ts';
import { EXIT, Failure, messageOf, systemCodeOf } from '../../../runner/failure.ts';

let stdout = '';
let stderr = '';
beforeEach(() => {
  [stdout, stderr] = ['', ''];
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    stdout += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    stderr += String(chunk);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('a result', () => {
  it('is the text for a person and the value for a program', () => {
    print(false, { a: 1 }, () => 'one');
    print(undefined, { a: 1 }, () => 'two');
    print(true, { a: 1 }, () => 'three');
    expect(stdout).toBe('one\ntwo\n{\n  "a": 1\n}\n');
  });

  it('is not worded for a program, which may cost more than the value', () => {
    const text = vi.fn<() => string>(() => 'words');
    print(true, null, text);
    expect(text).not.toHaveBeenCalled();
  });
});

describe('a failure', () => {
  const REFUSED = new PilothouseError('session_ended', { detail: 'ses_1' });

  it('is its sentence alone on standard error', () => {
    printFailure(false, new Failure(EXIT.failed, 'port_busy', 'The port is busy.'));
    printFailure(false, REFUSED);
    expect(stderr).toBe(`The port is busy.\n${ERRORS.session_ended.sentence} (ses_1)\n`);
    expect(stdout).toBe('');
  });

  it('is an object with code and message on standard output for a program', () => {
    printFailure(true, REFUSED);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'session_ended', message: REFUSED.message },
    });
    expect(stderr).toBe('');
  });

  it('of our own making keeps its stack and asks to be reported', () => {
    printFailure(false, new TypeError('x is not a function'));
    expect(stderr).toMatch(
      /^Pilothouse failed in a way it does not know; please report this\.\nTypeError: x is not a function\n\s+at /,
    );
  });

  it('of our own making is internal for a program, without the stack', () => {
    printFailure(true, new TypeError('x is not a function'));
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'internal', message: 'x is not a function' },
    });
  });

  it.each([
    ['a text', 'a text'],
    [7, '7'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('may be anything thrown: %j', (thrown, words) => {
    printFailure(false, thrown);
    expect(stderr).toContain(words);
  });

  it('that was told already is still a failure with its exit code', () => {
    expect(new QuietFailure(EXIT.failed, 'turn_failed', 'x')).toMatchObject({
      exitCode: EXIT.failed,
      name: 'Failure',
    });
  });

  it('keeps what caused it for whoever looks into it', () => {
    const cause = new Error('deep');
    expect(new Failure(EXIT.failed, 'x', 'y', { cause }).cause).toBe(cause);
  });
});

describe('colours', () => {
  it('are none where NO_COLOR says so', () => {
    expect(paintFor(process.stdout)('red', 'x')).toBe('x');
  });
});

describe('what a caught value says', () => {
  it('is its message, or itself', () => {
    expect([messageOf(new Error('m')), messageOf('m'), messageOf(7)]).toEqual(['m', 'm', '7']);
  });

  it.each([
    [Object.assign(new Error('x'), { code: 'EACCES' }), 'EACCES'],
    [Object.assign(new Error('x'), { code: 5 }), null],
    [new Error('x'), null],
    [{ code: 'EACCES' }, null],
    ['EACCES', null],
  ])('has the system’s code only when it is an error of the system: %#', (thrown, code) => {
    expect(systemCodeOf(thrown)).toBe(code);
  });
});
