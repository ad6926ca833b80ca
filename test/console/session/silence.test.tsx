import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LiveText, NO_LIVE_TEXT } from '../../../console/feed/live-text.ts';
import { Silence } from '../../../console/session/silence.tsx';
import { turnId } from '../../../protocol/ids.ts';
import { created, viewAfter } from '../../support/protocol-builders.ts';
import { anApprovalRequest } from '../../support/feed-events.ts';
import { draw } from '../support/render.tsx';

const START = 1_800_000_000_000;
beforeEach(() => vi.useFakeTimers({ now: START }));
afterEach(() => vi.useRealTimers());

const TURN = turnId.parse('trn_1');
const working = {
  ...viewAfter(created()),
  state: 'working',
  openTurnId: TURN,
  heardAt: START,
} as const;
const writing = (text: string): LiveText =>
  new Map([
    [
      'b1',
      {
        turnId: turnId.parse('trn_1'),
        blockId: 'b1',
        parentToolId: null,
        kind: 'answer',
        text,
        missing: 0,
      },
    ],
  ]);
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

it('is told once it is more than a pause, with the time at which it would end the turn', () => {
  draw(<Silence view={working} live={NO_LIVE_TEXT} />);
  pass(29_000);
  expect(screen.queryByText(/silent/)).toBeNull();
  pass(61_000);
  expect(screen.getByText(/silent for 1m 30s, ended at 15m 00s/)).toBeInTheDocument();
});

it('is none while text is on its way', () => {
  const { rerender } = draw(<Silence view={working} live={NO_LIVE_TEXT} />);
  pass(60_000);
  rerender(<Silence view={working} live={writing('a')} />);
  expect(screen.queryByText(/silent/)).toBeNull();
  pass(45_000);
  expect(screen.getByText(/silent for 45\.0 s/)).toBeInTheDocument();
});

it('is not broken by what people and the machine do around the engine', () => {
  const { rerender } = draw(<Silence view={working} live={NO_LIVE_TEXT} />);
  pass(60_000);
  rerender(<Silence view={{ ...working, updatedAt: START + 59_000 }} live={NO_LIVE_TEXT} />);
  expect(screen.getByText(/silent for 1m 00s/)).toBeInTheDocument();
});

it('is nobody’s concern while the engine waits for a person or for its next instruction', () => {
  const asked = { ...working, pendingApprovals: [anApprovalRequest()] };
  for (const view of [{ ...working, openTurnId: null }, asked]) {
    const { unmount } = draw(<Silence view={view} live={NO_LIVE_TEXT} />);
    pass(600_000);
    expect(screen.queryByText(/silent/)).toBeNull();
    unmount();
  }
});
