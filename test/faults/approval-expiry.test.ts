import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { until } from '../support/until.ts';
import { findFaults } from './record.ts';

let world: RehearsalWorld;
afterEach(() => world.stop());

const pidIn = (path: string) => Number.parseInt(readFileSync(path, 'utf8'), 10);

it('an approval expires although the runner and the Worker were killed while it waited, and the engine is told no once (A1)', async () => {
  world = await RehearsalWorld.start({
    turns: [
      [
        { do: 'bash', command: 'touch allowed.txt', ask: true },
        { do: 'text', text: 'It goes on.' },
        { do: 'usage', inputTokens: 7, outputTokens: 7, costUsd: 0.5 },
      ],
    ],
  });
  const id = await world.launch('work', '--dir', world.repository, '--answer-within', '0.004');
  const { view: waiting } = await world.untilState(id, 'awaiting_approval');
  const [request] = waiting.pendingApprovals;
  expect(request?.expiresAt).toBe((request?.requestedAt ?? 0) + 14_400);
  process.kill(pidIn(world.layout.workerdPidFile), 'SIGKILL');
  process.kill(pidIn(world.layout.runnerPidFile), 'SIGKILL');

  const { view } = await until(
    'the turn to end',
    async () => {
      const detail = await world.detail(id).catch(() => null);
      return detail?.view.turns[0]?.state === 'ended' ? detail : null;
    },
    { withinMs: 90_000, tell: () => world.tell() },
  );
  expect(view.turns[0]?.outcome).toBe('ok');
  expect(view.approvalExpiredAt).toBeGreaterThanOrEqual(request?.expiresAt ?? 0);
  const ends = await world.events(id, 'approval/resolved');
  expect(ends).toMatchObject([{ requestId: request?.requestId, resolution: 'expired' }]);
  const [tool] = await world.events(id, 'tool/ended');
  expect(tool).toMatchObject({ outcome: 'denied' });
  const late = await world.cli('sessions', 'approve', id, request?.requestId ?? '');
  expect(late.exitCode).not.toBe(0);
  expect(late.stderr).toContain('expired');
  expect((await world.cli('sessions', 'list')).stdout).toContain('(an approval expired)');
  expect(findFaults(await world.entries(id))).toEqual([]);
});
