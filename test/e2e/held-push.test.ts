import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actPage } from '../../protocol/http.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const pushes = (text: string) => ({
  do: 'bash' as const,
  command: `git commit -q --allow-empty -m "${text}" && git push origin HEAD:main`,
  ask: false,
});
const usage = { do: 'usage' as const, inputTokens: 10, outputTokens: 1, costUsd: 0.01 };

let world: RehearsalWorld;
let id: string;
beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      [pushes('first'), usage],
      [pushes('second'), usage],
    ],
  });
  const asking = ['policy', 'set', '--mode', 'ask', '--widen', 'a person looks at each'];
  await world.cli(...asking);
  id = await world.launch('work', '--dir', world.repository);
  await world.untilTurns(id, 1);
});
afterAll(() => world.stop());

const onMain = () =>
  execFileSync('git', ['log', '-1', '--format=%s', 'main'], {
    cwd: world.remote,
    encoding: 'utf8',
  });
const waiting = async () => (await world.detail(id)).view.pendingApprovals;
const act = async () => (await world.get(actPage, `/v1/acts?sessionId=${id}`)).items[0];

describe('a push to a protected branch under the policy `ask`', () => {
  it('is refused with the id of a request that a person finds in the terminal', async () => {
    const [request] = await until('the request', async () => {
      const found = await waiting();
      return found.length > 0 ? found : null;
    });
    expect(request).toMatchObject({ kind: 'push', summary: 'push 1 commit to main' });
    expect(onMain()).toBe('start\n');
    const shown = (await world.cli('sessions', 'show', id)).stdout;
    expect(shown).toContain(`sessions approve ${id} ${request?.requestId}`);
    expect(shown).toContain('main is protected');
    const told = (await world.events(id, 'tool/ended')).map(({ output: text }) => text.text).join();
    expect(told).toContain(`it waits for a person as ${request?.requestId}`);
    expect((await world.cli('sessions', 'list')).stdout).toContain('needs you');
  });

  it('waits through the end of the session, of runner and of Worker, and goes through once', async () => {
    expect((await world.cli('sessions', 'stop', id)).exitCode).toBe(0);
    await world.untilState(id, 'stopped');
    await world.installation.end('SIGKILL');
    await world.up();
    const [request] = await waiting();
    const approved = await world.cli('sessions', 'approve', id);
    expect(approved.stdout).toContain('Allowed: push 1 commit to main');
    await until('the push', () => onMain() === 'first\n');
    await until('the end of the request', async () => (await waiting()).length === 0);
    expect(
      await until('the act', async () => {
        const found = await act();
        return found?.outcome === 'done' ? found : null;
      }),
    ).toMatchObject({ witness: 'stream', decidedBy: 'forge' });
    const again = await world.cli('sessions', 'deny', id, request?.requestId ?? '');
    expect(again.exitCode).not.toBe(0);
    expect(again.stderr).toContain('already has a different');
  });

  it('denied is told with the reason, and moves nothing', async () => {
    expect((await world.cli('sessions', 'retry', id)).exitCode).toBe(0);
    await world.untilState(id, 'parked', 'idle');
    await world.cli('sessions', 'say', id, 'go on');
    await world.untilTurns(id, 2);
    await until('the request', async () => (await waiting()).length > 0);
    await world.cli('sessions', 'deny', id, '--message', 'not today');
    await until('the end of the request', async () => (await waiting()).length === 0);
    const found = await until('the act', async () => {
      const newest = await act();
      return newest?.reason?.includes('not today') ? newest : null;
    });
    expect(found).toMatchObject({ outcome: 'not_done', decidedBy: 'policy' });
    expect(onMain()).toBe('first\n');
    expect(readFileSync(world.layout.runnerLog, 'utf8')).not.toContain('could not be deleted');
  });
});
