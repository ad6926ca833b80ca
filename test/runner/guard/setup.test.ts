import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineEvent } from '../../../protocol/engine-event.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { runSetup, type SetupRequest } from '../../../runner/guard/setup.ts';
import type { Limits } from '../../../runner/limits.ts';
import { aRepository, limitsFor, ownCheckout, requestFor } from './repositories.ts';

const redactor = createRedactor([{ name: 'API_KEY', value: 'canary-value-1' }]);

function withSetup(directory: string, setup: string | null, setupTimeoutMs = 10_000): Limits {
  return {
    ...limitsFor('/'),
    repositories: [
      {
        directory,
        include: [],
        setup,
        setupTimeoutMs,
        show: [],
        variables: [],
        hosts: [],
        protectedBranches: [],
        pushTags: false,
        mergeAtMost: 'ask',
      },
    ],
  };
}

function requestOf(
  checkout: OwnCheckout,
  setup: string,
  over: Partial<SetupRequest> = {},
  timeoutMs?: number,
): SetupRequest {
  return {
    checkout,
    limits: withSetup(checkout.source.top, setup, timeoutMs),
    env: process.env,
    redactor,
    ...over,
  };
}

async function alive(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

describe('runSetup', () => {
  test('runs the command in the checkout and tells how it went', async () => {
    const checkout = await ownCheckout(aRepository());
    const event = await runSetup(requestOf(checkout, 'pwd; echo oops >&2; touch made; exit 3'));
    expect(event).toMatchObject({ type: 'setup/ran', exitCode: 3 });
    expect(engineEvent.parse(event)).toEqual(event);
    expect(event?.output.text).toContain(checkout.top);
    expect(event?.output.text).toContain('oops');
    expect(existsSync(join(checkout.top, 'made'))).toBe(true);
  });

  test('runs nothing that limits.toml does not give this repository, and nothing in place', async () => {
    const source = aRepository();
    const checkout = await ownCheckout(source);
    const other = {
      ...requestOf(checkout, 'touch made'),
      limits: withSetup('/elsewhere', 'touch made'),
    };
    expect(await runSetup(other)).toBeNull();
    expect(await runSetup({ ...other, limits: withSetup(source, null) })).toBeNull();
    const inPlace = await prepareCheckout(requestFor(source, { spec: { checkout: 'inPlace' } }));
    expect(
      await runSetup({ ...other, checkout: inPlace, limits: withSetup(source, 'touch made') }),
    ).toBeNull();
    expect(existsSync(join(checkout.top, 'made')) || existsSync(join(source, 'made'))).toBe(false);
  });

  test('redacts before it cuts', async () => {
    const checkout = await ownCheckout(aRepository());
    const loop = 'i=0; while [ $i -lt 3000 ]; do echo "$API_KEY"; i=$((i+1)); done';
    const event = await runSetup(
      requestOf(checkout, loop, { env: { ...process.env, API_KEY: 'canary-value-1' } }),
    );
    expect(event?.output.truncated).not.toBeNull();
    expect(event?.output.text).not.toContain('canary');
  });

  test('ends the command and all that it started when its time is over', async () => {
    const checkout = await ownCheckout(aRepository());
    const event = await runSetup(requestOf(checkout, 'sleep 60 & echo $!; wait', {}, 300));
    expect(event?.exitCode).toBeNull();
    expect(event?.output.text).toContain('ended after 0.3 s');
    expect(await alive(Number(event?.output.text.split('\n')[0]))).toBe(false);
  });

  test('ends it when the session is stopped', async () => {
    const checkout = await ownCheckout(aRepository());
    const stop = new AbortController();
    const running = runSetup(requestOf(checkout, 'sleep 60', { signal: stop.signal }));
    setTimeout(() => stop.abort(), 100);
    expect((await running)?.output.text).toContain('session was stopped');
  });

  test('does not wait for what the command leaves running', async () => {
    const checkout = await ownCheckout(aRepository());
    const event = await runSetup(requestOf(checkout, 'sleep 5 & echo started'));
    expect(event).toMatchObject({ exitCode: 0 });
    expect(event?.durationMs).toBeLessThan(4_000);
  });

  test('does not pass on the git directory of whoever started the runner', async () => {
    const checkout = await ownCheckout(aRepository());
    const event = await runSetup(
      requestOf(checkout, 'echo "<$GIT_DIR>"', { env: { ...process.env, GIT_DIR: '/elsewhere' } }),
    );
    expect(event?.output.text).toBe('<>\n');
  });
});
