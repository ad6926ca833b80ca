import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Checkout } from '../../../runner/guard/checkout.ts';
import { SpawnError } from '../../../runner/process/spawn.ts';
import {
  bringBackEvents,
  spawnFailure,
  startEngine,
  startResult,
  survivorsNotice,
} from '../../../runner/sessions/engine-start.ts';
import { LaunchRefused } from '../../../runner/sessions/launcher.ts';
import type { SessionDeps } from '../../../runner/sessions/session-deps.ts';
import { broughtBack } from '../../support/feed-events.ts';
import { SESSION, TURN } from '../../support/protocol-builders.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';
import { SessionSimulator } from '../../support/session-simulator.ts';

const CHECKOUT: Checkout = {
  mode: 'inPlace',
  sessionId: SESSION,
  directory: '/r',
  branch: null,
  baseCommit: null,
};
const NO_HANDLERS = { lines: () => undefined, exited: () => undefined, written: () => undefined };
const logged: string[] = [];
const failureOf = (error: unknown) =>
  spawnFailure({ log: (_level, message) => void logged.push(message) }, SESSION, error);
const systemError = (code: string) => Object.assign(new Error(`spawn ${code}`), { code });
const bringing = (
  bringBack: SessionDeps['ports']['bringBack'],
  checkout: Checkout | null = CHECKOUT,
) => bringBackEvents({ ports: { bringBack } } as unknown as SessionDeps, checkout, TURN);

describe('an engine that could not be started', () => {
  test.each(['ENOENT', 'EACCES'])(
    'because of %s is missing: trying again would not help',
    (code) => {
      const failure = failureOf(new SpawnError('/usr/bin/claude', systemError(code)));
      expect(failure).toMatchObject({
        kind: 'refused',
        refusal: { state: 'provider_failed', code: 'engine_missing' },
      });
      expect(JSON.stringify(failure)).toContain('/usr/bin/claude could not be started');
    },
  );

  test.each(['EAGAIN', 'ENOMEM', 'EMFILE'])('because of %s may be tried again', (code) => {
    const failure = failureOf(new SpawnError('/usr/bin/claude', systemError(code)));
    expect(failure).toMatchObject({ kind: 'spawnFailed', message: expect.stringContaining(code) });
  });

  test('because the launch is refused is refused for that reason', () => {
    const refusal = {
      state: 'failed_to_start',
      code: 'engine_not_allowed',
      error: { code: 'workspace_refused', message: 'no' },
    } as const;
    expect(failureOf(new LaunchRefused(refusal))).toEqual({ kind: 'refused', refusal });
  });

  test('for a reason that nobody foresaw is logged and may be tried again', () => {
    logged.length = 0;
    expect(failureOf('odd')).toEqual({ kind: 'spawnFailed', message: 'odd' });
    expect(logged).toEqual(['an engine could not be started']);
  });
});

describe('bringing back the commits of a turn', () => {
  test('tells what was brought back', async () => {
    const events = [broughtBack()];
    expect(await bringing(() => Promise.resolve(events))).toBe(events);
  });

  test('of a session without a checkout is nothing', async () => {
    expect(await bringing(() => Promise.reject(new Error('not asked')), null)).toEqual([]);
  });

  test('that fails is told, with where the commits are now', async () => {
    const events = await bringing(() => Promise.reject(new Error('The branch is checked out.')));
    expect(events).toMatchObject([
      {
        type: 'notice/raised',
        level: 'warning',
        code: 'bring_back_failed',
        message: expect.stringMatching(/The branch is checked out\. They stay/),
      },
    ]);
  });
});

describe('what is told at the end', () => {
  test('names every process that would not die', () => {
    const notice = survivorsNotice([
      { pid: 7, startedAt: 'a' },
      { pid: 9, startedAt: 'b' },
    ]);
    expect(notice).toMatchObject({
      code: 'process_survived',
      message: expect.stringContaining('7, 9'),
    });
  });

  test('answers a launch that was started', () => {
    expect(startResult(null)).toEqual({ ok: true, value: {} });
  });

  test('answers a launch that was refused with its code and its own sentence', () => {
    const error = { code: 'auth_missing', message: 'Log in.' } as const;
    expect(startResult({ state: 'provider_failed', code: 'workspace_refused', error })).toEqual({
      ok: false,
      code: 'workspace_refused',
      message: 'Log in.',
    });
  });
});

describe('a session that goes on', () => {
  const allowedFor = async (checkout: Checkout, directory: string | null) => {
    const asked: string[] = [];
    const deps = {
      makeUuid: () => 'uuid',
      ports: {
        findEngine: () => scriptedEngine(),
        readFreeBytes: () => Promise.resolve(Infinity),
        decideAllowed: (_launch: unknown, real: string) => {
          asked.push(real);
          return { allowed: false, code: 'directory_not_allowed', detail: real };
        },
      },
    } as unknown as SessionDeps;
    const opened = new SessionSimulator().state;
    const state = { ...opened, launch: { ...opened.launch, directory } };
    const row = {
      state,
      checkout,
      engineState: null,
      carried: null,
      process: null,
      spoolOffset: 0,
      unwrittenBytes: 0,
    };
    await expect(startEngine(deps, scriptedEngine(), row, null, null, NO_HANDLERS)).rejects.toThrow(
      LaunchRefused,
    );
    return asked;
  };
  const [elsewhere, here] = [realpathSync(tmpdir()), realpathSync(process.cwd())];

  test('in place is held to the limits of where it works, wherever its link leads by now', async () => {
    expect(await allowedFor({ ...CHECKOUT, directory: here }, elsewhere)).toEqual([here]);
  });

  test('in a checkout is held to those of the repository that it is of', async () => {
    const source = { top: here, commonDirectory: here, bare: false };
    const checkout = { ...CHECKOUT, mode: 'own', source } as unknown as Checkout;
    expect(await allowedFor(checkout, elsewhere)).toEqual([here]);
  });

  test('in a repository made for it is held to none', async () => {
    expect(await allowedFor({ ...CHECKOUT, directory: here }, null)).toEqual(['']);
  });
});
