import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { BlockedPanel } from '../../../console/session/blocked-panel.tsx';
import { FailurePanel } from '../../../console/session/failure-panel.tsx';
import { findProcess } from '../../../console/session/by-hand.tsx';
import type { Item } from '../../../console/feed/items.ts';
import { LAUNCH } from '../../../console/mock/sentinels.ts';
import { created, viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const started = (argv: string[]): FeedEvent => ({
  type: 'launch/staged',
  launchId: LAUNCH,
  stage: 'spawned',
  process: { pid: 7, argv, directory: '/work place', environment: ['HOME', 'PATH'] },
});
const blocked: FeedEvent = {
  type: 'engine/blocked',
  why: 'unknown',
  excerpt: 'This directory is new.\nTrust it?',
  message: 'The engine waits for words. Stop the session, then open the command.',
};
const note = (event: FeedEvent, position: number): Item =>
  ({
    kind: 'note',
    key: `note:${position}`,
    at: 1,
    turnId: null,
    parentToolId: null,
    event,
  }) as Item;

describe('a session that is blocked', () => {
  it('shows what it waits for, what to do, and the command for one’s own terminal', () => {
    const spawned = started(['asker', 'it’s', '--go']);
    const view = viewAfter(created(), spawned, blocked);
    const { container } = draw(<BlockedPanel view={view} items={[note(spawned, 2)]} />);
    expect(screen.getByText('It cannot go on without you.')).toBeInTheDocument();
    expect(screen.getByText(/then open the command/)).toBeInTheDocument();
    expect(container.querySelector('[data-excerpt]')).toHaveTextContent('Trust it?');
    expect(screen.getByText(/cd '\/work place' && asker/)).toBeInTheDocument();
    expect(screen.getByText(/2 environment variables/)).toBeInTheDocument();
  });

  it('says nothing more once it goes on', () => {
    const view = viewAfter(created(), started(['asker']), blocked, { type: 'engine/unblocked' });
    const { container } = draw(<BlockedPanel view={view} items={[]} />);
    expect(container).toBeEmptyDOMElement();
  });

  it('is told without a command where there was no process', () => {
    draw(<BlockedPanel view={viewAfter(created(), blocked)} items={[]} />);
    expect(screen.queryByText('Open in my terminal')).toBeNull();
  });
});

describe('a session that failed', () => {
  const failure: FeedEvent = {
    type: 'launch/failed',
    launchId: LAUNCH,
    state: 'bootstrap_stalled',
    stage: 'spawned',
    error: { code: 'no_output', message: 'It said nothing.' },
    elapsedMs: 60_000,
    stderrTail: [],
  };

  it('offers the command of its last process', () => {
    const items = [note(started(['first']), 1), note(started(['second', 'try']), 2)];
    draw(
      <FailurePanel
        view={viewAfter(created(), started(['second', 'try']), failure)}
        items={items}
      />,
    );
    expect(screen.getByText('Open in my terminal')).toBeInTheDocument();
    expect(screen.getByText(/second try/)).toBeInTheDocument();
    expect(findProcess(items)?.argv).toEqual(['second', 'try']);
  });

  it('offers none where nothing was started', () => {
    draw(<FailurePanel view={viewAfter(created(), failure)} items={[]} />);
    expect(screen.queryByText('Open in my terminal')).toBeNull();
    expect(findProcess([])).toBeNull();
  });
});
