import { HTTPException } from 'hono/http-exception';
import { describe, expect, it } from 'vitest';
import { ERRORS, errorCode, PilothouseError } from '../../../protocol/errors.ts';
import { toPilothouseError } from '../../../workers/http/on-error.ts';
import { refuse, refuseWith, succeed, unwrap } from '../../../workers/lib/outcome.ts';

describe('what a thrown value is to a caller', () => {
  it('is a refusal as it is', () => {
    const refusal = new PilothouseError('session_ended', { sessionId: 'ses_1' });
    expect(toPilothouseError(refusal)).toBe(refusal);
  });

  it.each([
    [400, 'bad_request'],
    [413, 'payload_too_large'],
    [415, 'bad_request'],
    [418, 'internal'],
  ] as const)('is, of the framework with status %i, %s', (status, code) => {
    expect(toPilothouseError(new HTTPException(status)).code).toBe(code);
  });

  it('is internal for a fault, whose words stay here', () => {
    const error = toPilothouseError(new Error('SQLITE: secret table'));
    expect(error.code).toBe('internal');
    expect(JSON.stringify([error.message, error.context])).not.toContain('secret');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('is a full disk when the database says so, however deep in the fault', () => {
    const told = new Error('D1_ERROR: database or disk is full: SQLITE_FULL');
    const fault = new Error('Failed query: select 1', { cause: told });
    expect(toPilothouseError(fault).code).toBe('storage_full');
    expect(toPilothouseError(told).message).toMatch(/disk .* is full\. Free some space/);
  });

  it('is internal even when it is no error at all', () => {
    expect(toPilothouseError('oops').code).toBe('internal');
  });
});

describe('an outcome between objects', () => {
  it('gives its value, or throws its refusal with the facts', () => {
    expect(unwrap(succeed(3))).toBe(3);
    const thrown = (): unknown => unwrap(refuse('runner_offline', { runnerId: 'run_1' }));
    expect(thrown).toThrow(ERRORS.runner_offline.sentence);
  });

  it('keeps the runner’s own words as the detail, and not our own sentence twice', () => {
    expect(refuseWith('engine_missing', 'claude is not here')).toEqual({
      ok: false,
      code: 'engine_missing',
      context: { detail: 'claude is not here' },
    });
    expect(refuseWith('engine_missing', ERRORS.engine_missing.sentence)).toMatchObject({
      context: {},
    });
  });

  it('is internal for a code that only a newer runner knows', () => {
    expect(refuseWith('too_new', 'x')).toMatchObject({ code: 'internal' });
  });

  it('says the sentence of a machine’s refusal once, with what the machine added', () => {
    const told = new PilothouseError('engine_missing', { detail: 'claude (the old one) is away' });
    const again = refuseWith('engine_missing', told.message);
    expect(again).toMatchObject({ context: { detail: 'claude (the old one) is away' } });
    expect(() => unwrap(again)).toThrow(told.message);
    expect(errorCode.options.length).toBeGreaterThan(30);
  });
});
