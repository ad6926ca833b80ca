import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TurnRow } from '../../../console/transcript/turn-rows.tsx';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { started } from '../../support/feed-events.ts';
import { SESSION, TURN, viewAfter } from '../../support/protocol-builders.ts';

const show = (...events: FeedEvent[]) => {
  const [turn] = viewAfter(started(), ...events).turns;
  if (turn) render(<TurnRow sessionId={SESSION} turn={turn} number={2} />);
};

it('says of a turn whose engine was briefed what that took, and of no other', () => {
  show({ type: 'turn/briefed', turnId: TURN, turns: 3, chars: 9_000 });
  expect(
    screen.queryByText(/Briefed, not resumed · 3 earlier turns in about 2\.3 K tokens/),
  ).not.toBeNull();
  document.body.innerHTML = '';
  show();
  expect(screen.queryByText(/Briefed/)).toBeNull();
});
