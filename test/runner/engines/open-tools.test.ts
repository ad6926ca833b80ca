import { expect, test } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import { step } from '../../../runner/engines/draft.ts';
import { closeTools, endTool, type OpenTools } from '../../../runner/engines/open-tools.ts';

const PUSH = { actId: actId.parse('act_push'), provesDone: true, provesNotDone: true };
const OPEN: OpenTools = {
  tools: { a: { startedAt: 10, acts: [PUSH] }, b: { startedAt: 40, acts: [] } },
};

test('a call ends once, with its time, its output and what it proves of its act', () => {
  const first = step(OPEN, 30, (draft) =>
    endTool(draft, 'a', { outcome: 'ok', exitCode: 0, output: 'pushed' }),
  );
  expect(first.items).toMatchObject([
    { event: { type: 'tool/ended', toolId: 'a', durationMs: 20, output: { text: 'pushed' } } },
    { event: { type: 'act/ended', actId: PUSH.actId, outcome: 'done' } },
  ]);
  expect(Object.keys(first.state.tools)).toEqual(['b']);
  const again = step(first.state, 31, (draft) =>
    endTool(draft, 'a', { outcome: 'ok', exitCode: 0 }),
  );
  expect(again).toEqual({ state: first.state, items: [] });
});

test('what an end means for the acts may be another thing than for the call', () => {
  const { items } = step(OPEN, 30, (draft) =>
    endTool(draft, 'a', { outcome: 'failed', exitCode: null, acts: 'denied' }),
  );
  expect(items).toMatchObject([
    { event: { outcome: 'failed' } },
    { event: { type: 'act/ended', outcome: 'not_done' } },
  ]);
});

test('an output that is cut is kept whole beside its event', () => {
  const text = 'x'.repeat(1_000_000);
  const { items } = step(OPEN, 30, (draft) =>
    endTool(draft, 'a', { outcome: 'ok', exitCode: 0, output: text }),
  );
  expect(items[0]).toEqual({ kind: 'output', toolId: 'a', text });
});

test('the end of the process closes every call, and proves nothing of an act', () => {
  const { state, items } = step(OPEN, 50, (draft) => closeTools(draft, 'interrupted'));
  expect(items).toMatchObject([
    { event: { type: 'tool/ended', toolId: 'a', outcome: 'interrupted' } },
    { event: { type: 'act/ended', outcome: 'unknown' } },
    { event: { type: 'tool/ended', toolId: 'b', outcome: 'interrupted', durationMs: 10 } },
  ]);
  expect(state.tools).toEqual({});
});
