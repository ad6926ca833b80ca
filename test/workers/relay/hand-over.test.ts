import { describe, expect, it } from 'vitest';
import type { Command } from '../../../protocol/command.ts';
import { commandId, sessionId } from '../../../protocol/ids.ts';
import { HandOver } from '../../../workers/relay/hand-over.ts';
import type { Outgoing } from '../../../workers/relay/outgoing.ts';

const aStop = (number: number): Command => ({
  id: commandId.parse(`cmd_${number}`),
  epoch: 1,
  sessionId: sessionId.parse('ses_one'),
  deadlineAt: 9_000,
  method: 'session/stop',
  params: {},
});

/** A feed's commands in memory, and a relay that fails as often as it is told. */
function openHandOver(failures = 0) {
  const waiting: Outgoing[] = [];
  const enqueued: string[] = [];
  const postponed: [string, number][] = [];
  const faults: unknown[] = [];
  let left = failures;
  const add = (number: number) =>
    waiting.push({ command: aStop(number), taken: false, attempts: 0, nextAt: 0 });
  const store = {
    head: () => waiting[0] ?? null,
    markTaken: (id: string) => void waiting.splice(0, waiting[0]?.command.id === id ? 1 : 0),
    postpone: (id: string, attempts: number, nowMs: number) => {
      postponed.push([id, attempts]);
      waiting.splice(0, 1, { ...(waiting[0] as Outgoing), attempts });
      return nowMs;
    },
  };
  const handOver = new HandOver(store, {
    enqueue: async ({ id }) => {
      await Promise.resolve();
      if (left-- > 0) throw new Error('the relay is away');
      enqueued.push(id);
    },
    failed: (fault) => void faults.push(fault),
    now: () => 1_000,
  });
  return { handOver, add, enqueued, postponed, faults };
}

describe('handing commands to the relay', () => {
  it('keeps the order in which they were made', async () => {
    const { handOver, add, enqueued } = openHandOver();
    [1, 2, 3].forEach(add);
    await handOver.run();
    expect(enqueued).toEqual(['cmd_1', 'cmd_2', 'cmd_3']);
  });

  it('lets none overtake one that the relay did not take', async () => {
    const { handOver, add, enqueued, postponed, faults } = openHandOver(2);
    add(1);
    await handOver.run();
    add(2);
    await handOver.run();
    expect(enqueued).toEqual([]);
    expect(postponed).toEqual([
      ['cmd_1', 1],
      ['cmd_1', 2],
    ]);
    expect(faults).toHaveLength(2);
    await handOver.run();
    expect(enqueued).toEqual(['cmd_1', 'cmd_2']);
  });

  it('hands each over once when it is asked while it is at it', async () => {
    const { handOver, add, enqueued } = openHandOver();
    add(1);
    const first = handOver.run();
    add(2);
    await handOver.run();
    await first;
    expect(enqueued).toEqual(['cmd_1', 'cmd_2']);
  });
});
