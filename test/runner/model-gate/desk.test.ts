import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Desk, type Admission } from '../../../runner/model-gate/desk.ts';
import { appendCall, readCalls } from '../../../runner/model-gate/journal.ts';
import type { Metered } from '../../../runner/model-gate/meter.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-desk-'));
  path = join(directory, 'ses_a.calls');
});
afterEach(() => rmSync(directory, { recursive: true }));

const call = {
  model: 'claude-sonnet-4-5',
  bytes: 0,
  maxOutputTokens: 10_000,
  leastOutputTokens: 0,
  usualOutputTokens: 1,
};
const MOST = 150_000;
const never = new AbortController().signal;
const cost = (microUsd: number | null): Metered => ({
  model: call.model,
  tokens: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
  microUsd,
  told: true,
});
const openDesk = (grant: number | null) => {
  const desk = new Desk(path, () => 7);
  desk.grant(grant);
  return desk;
};
function admitted(admission: Admission) {
  if (!admission.ok) throw new Error(`it was refused: ${admission.why}`);
  return admission.reservation;
}

describe('the account of a session', () => {
  it('lets no call begin before somebody granted anything', async () => {
    const desk = new Desk(path, () => 7);
    expect(await desk.admit(call, never)).toEqual({ ok: false, why: 'spent' });
  });

  it('lets parallel calls begin one after another where they could not all be paid', async () => {
    const desk = openDesk(MOST + 50_000);
    const first = admitted(await desk.admit(call, never));
    let second: Admission | null = null;
    const waiting = desk.admit(call, never).then((admission) => (second = admission));
    await Promise.resolve();
    expect(second).toBeNull();
    desk.settle(first, cost(20_000));
    await waiting;
    expect(second).toMatchObject({ ok: true, maxOutputTokens: null });
  });

  it('refuses the next one when a call took what was left', async () => {
    const desk = openDesk(MOST);
    desk.settle(admitted(await desk.admit(call, never)), cost(MOST));
    expect(await desk.admit(call, never)).toEqual({ ok: false, why: 'spent' });
    desk.grant(3 * MOST);
    expect((await desk.admit(call, never)).ok).toBe(true);
  });

  it('gives back what a call held that came to nothing', async () => {
    const desk = openDesk(MOST);
    desk.settle(admitted(await desk.admit(call, never)), null);
    expect(desk.busy).toBe(false);
    expect((await desk.admit(call, never)).ok).toBe(true);
    expect(readCalls(path, 0).entries).toEqual([]);
  });

  it('forgets a wish that was given up', async () => {
    const desk = openDesk(MOST);
    const first = admitted(await desk.admit(call, never));
    const controller = new AbortController();
    const waiting = desk.admit(call, controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    desk.settle(first, cost(1));
    expect((await desk.admit({ ...call, maxOutputTokens: 2_000 }, never)).ok).toBe(true);
  });

  it('knows after a restart what was spent before it', async () => {
    const desk = openDesk(MOST);
    desk.settle(admitted(await desk.admit(call, never)), cost(MOST - 1));
    expect(await openDesk(MOST).admit(call, never)).toEqual({ ok: false, why: 'too_large' });
  });
});

describe('the journal', () => {
  it('is read on from where it was read to, and never in the middle of a line', () => {
    const desk = openDesk(null);
    desk.refuse('m', 'unpriced');
    const first = readCalls(path, 0);
    expect(first.entries).toMatchObject([{ model: 'm', refused: 'unpriced', microUsd: 0, at: 7 }]);
    expect(readCalls(path, first.offset)).toEqual({ entries: [], offset: first.offset });
    const entry = { ...cost(5).tokens, at: 8, model: 'ü', refused: null, microUsd: 5, told: true };
    appendCall(path, entry);
    expect(readCalls(path, first.offset).entries).toEqual([entry]);
  });

  it('is empty where there is none', () => {
    expect(readCalls(join(directory, 'none'), 0)).toEqual({ entries: [], offset: 0 });
  });
});
