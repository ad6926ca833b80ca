import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runnerSummary } from '../../../protocol/http.ts';
import { awaitEngines } from '../../../runner/cli/up-engines.ts';
import { EXIT } from '../../../runner/failure.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

describe('pilothouse runner status', () => {
  const status = async () => (await runOn(cloud, 'runner', 'status')).stdout.trimEnd().split('\n');

  it('says how a machine is registered where there is none', async () => {
    expect(await status()).toEqual([
      expect.stringMatching(
        /^No machine is registered. npm start registers this one; .*runner invite/,
      ),
    ]);
  });

  it('has a line for each machine, with what is ready there', async () => {
    cloud.runners.push(
      aRunner('run_1', 'laptop', {
        engines: ['claude', 'rehearsal'],
        lastSeenAt: Date.now() - 120_000,
      }),
      aRunner('run_2', 'server', { presence: 'offline', machine: null }),
    );
    expect(await status()).toEqual([
      'MACHINE  NAME    PRESENCE  SEEN    READY',
      'run_1    laptop  online    2m ago  claude, rehearsal',
      'run_2    server  offline   never   none',
    ]);
  });

  it('does not count an engine that is there and not ready', async () => {
    const runner = aRunner('run_1', 'laptop', { engines: ['claude', 'codex'] });
    const [first] = runner.machine?.engines ?? [];
    if (first) Object.assign(first, { ready: false, problem: 'Not signed in.' });
    cloud.runners.push(runner);
    expect((await status())[1]).toMatch(/ {2}codex$/);
  });

  it('is the machines for a program', async () => {
    cloud.runners.push(aRunner('run_1', 'laptop'));
    const answer = z
      .strictObject({ items: z.array(runnerSummary) })
      .parse(await jsonOf(cloud, 'runner', 'status'));
    expect(answer.items).toEqual(cloud.runners);
  });
});

describe('pilothouse link', () => {
  it('is an address on this instance whose token is behind the #', async () => {
    const { exitCode, stdout } = await runOn(cloud, 'link');
    expect({ exitCode, stdout }).toEqual({
      exitCode: EXIT.ok,
      stdout: `${cloud.url}/sign-in#once\n`,
    });
  });

  it('is its address and its end for a program', async () => {
    expect(await jsonOf(cloud, 'link')).toEqual({
      url: `${cloud.url}/sign-in#once`,
      expiresAt: 1_000,
    });
  });

  it('is refused to a token that is none', async () => {
    cloud.refuse(/links/, 'unauthenticated');
    const { exitCode, stderr } = await runOn(cloud, 'link');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toMatch(/^You are not signed in\./);
  });
});

describe('waiting for what the local runner says of its engines', () => {
  const wait = (waitMs: number, id = 'run_1') => awaitEngines(cloud.url, cloud.token, id, waitMs);

  it('ends as soon as it says it', async () => {
    cloud.runners.push(aRunner('run_1', 'laptop', { engines: ['claude'] }));
    expect((await wait(5_000))?.map((engine) => engine.engineId)).toEqual(['claude']);
    expect(cloud.asked).toHaveLength(1);
  });

  it('goes on while it is away, and while it has only said hello', async () => {
    cloud.runners.push(aRunner('run_1', 'laptop', { presence: 'offline' }));
    const waiting = wait(5_000);
    setTimeout(() => cloud.runners.splice(0, 1, aRunner('run_1', 'laptop', { engines: [] })), 50);
    setTimeout(() => cloud.runners.splice(0, 1, aRunner('run_1', 'laptop')), 300);
    expect((await waiting)?.map((engine) => engine.engineId)).toEqual(['rehearsal']);
    expect(cloud.asked.length).toBeGreaterThan(2);
  });

  it('does not end over a Worker that fails for a moment', async () => {
    cloud.garble(/runners/, '<html>', 502);
    cloud.runners.push(aRunner('run_1', 'laptop'));
    const waiting = wait(5_000);
    setTimeout(() => cloud.mend(), 100);
    expect(await waiting).toHaveLength(1);
  });

  it('does not take another machine for it', async () => {
    cloud.runners.push(aRunner('run_2', 'server'));
    expect(await wait(300)).toBeNull();
  });

  it('is null where nothing answers at all', async () => {
    expect(await awaitEngines('http://127.0.0.1:1', 't', 'run_1', 100)).toBeNull();
  });
});
