import { beforeEach, describe, expect, test } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { EVIDENCE_TAIL_CHARS } from '../../../protocol/pilot.ts';
import type { ShellResult } from '../../../runner/guard/shell.ts';
import { runShell } from '../../../runner/guard/shell.ts';
import { Checks } from '../../../runner/sessions/checks.ts';
import type { HeadlessSession } from '../../../runner/sessions/headless-session.ts';
import type { CheckLine } from '../../../runner/sessions/launcher.ts';
import type { SessionDeps } from '../../../runner/sessions/session-deps.ts';
import { findEngine } from '../../../runner/engines/registry.ts';
import { aLaunch, SESSION } from '../../support/protocol-builders.ts';

const checkout = {
  mode: 'inPlace',
  sessionId: SESSION,
  directory: '/',
  branch: null,
  baseCommit: null,
};
const session = { row: { checkout, state: { launch: aLaunch() } } } as unknown as HeadlessSession;
const REQUEST = {
  checkId: 'ses_test1.2.0',
  title: 'Tests',
  command: 'echo red; exit 3',
  timeoutMs: 20_000,
};

let ran: CheckLine[];
let answer: (line: CheckLine) => Promise<ShellResult>;
let checks: Checks;
beforeEach(() => {
  ran = [];
  answer = ({ command, timeoutMs, signal }) =>
    runShell({
      command,
      directory: '/',
      env: process.env,
      timeoutMs,
      timeoutWords: 'the time of the check',
      marker: SESSION,
      keep: 'last',
      signal,
    });
  const ports = {
    findEngine: () => findEngine('rehearsal', 'ask'),
    readSecrets: async () => [{ name: 'API_KEY', value: 'canary-value-1' }],
    check: (line: CheckLine) => {
      ran.push(line);
      return answer(line);
    },
  } as unknown as SessionDeps['ports'];
  checks = new Checks({ ports }, { sessions: new Map([[SESSION, session]]) });
});

describe('a check', () => {
  test('tells its exit code, its time and the end of what it said', async () => {
    expect(await checks.run(SESSION, REQUEST)).toMatchObject({
      title: 'Tests',
      command: REQUEST.command,
      passed: false,
      exitCode: 3,
      tail: 'red\n',
    });
    const passing = await checks.run(SESSION, { ...REQUEST, checkId: 'b', command: 'true' });
    expect(passing).toMatchObject({ passed: true, exitCode: 0 });
  });

  test('that is asked for again is the same run, also while it is under way', async () => {
    const [first, second] = await Promise.all([
      checks.run(SESSION, REQUEST),
      checks.run(SESSION, REQUEST),
    ]);
    expect(second).toBe(first);
    expect(await checks.run(SESSION, REQUEST)).toBe(first);
    expect(ran).toHaveLength(1);
  });

  test('that was refused is tried anew once what was missing is there', async () => {
    const working = answer;
    answer = () => Promise.reject(new PilothouseError('check_not_approved'));
    await expect(checks.run(SESSION, REQUEST)).rejects.toThrow('not approved');
    answer = working;
    expect(await checks.run(SESSION, REQUEST)).toMatchObject({ exitCode: 3 });
  });

  test('ends when its time is over, and when its session is stopped', async () => {
    const slow = { ...REQUEST, command: 'sleep 30' };
    const late = await checks.run(SESSION, { ...slow, checkId: 'late', timeoutMs: 100 });
    expect(late).toMatchObject({ passed: false, exitCode: null });
    expect(late.tail).toContain('ended after 0.1 s, the time of the check');
    const stopped = checks.run(SESSION, { ...slow, checkId: 'stopped' });
    await expect.poll(() => ran.length).toBe(2);
    checks.end(SESSION);
    expect((await stopped).tail).toContain('because the session was stopped');
    expect(await checks.run(SESSION, { ...REQUEST, checkId: 'after' })).toMatchObject({
      exitCode: 3,
    });
  });

  test('keeps the end of a long output, and no secret of it', async () => {
    const command = 'seq 1 20000; echo canary-value-1; echo last';
    const { tail } = await checks.run(SESSION, { ...REQUEST, command });
    expect(tail.length).toBeLessThanOrEqual(EVIDENCE_TAIL_CHARS);
    expect(tail).toMatch(/last\n$/);
    expect(tail).not.toContain('canary-value-1');
  });

  test('of a session that the machine does not know is refused', async () => {
    const none = new Checks({ ports: {} as SessionDeps['ports'] }, { sessions: new Map() });
    await expect(none.run(SESSION, REQUEST)).rejects.toThrow('No session has this id');
  });
});
