import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PROVIDER_FAILURES } from '../../../protocol/launch.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { FailurePanel } from '../../../console/session/failure-panel.tsx';
import { LaunchProgress } from '../../../console/session/launch-progress.tsx';
import { markOfTurn } from '../../../console/session/turns-rail.tsx';
import { eventsUntilApproval, LAUNCH } from '../../../console/mock/sentinels.ts';
import { created, viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const failed = (code: (typeof PROVIDER_FAILURES)[number]) => {
  const event: FeedEvent = {
    type: 'launch/failed',
    launchId: LAUNCH,
    state: 'failed_to_start',
    stage: 'spawned',
    error: { code, message: 'The sentinel is not logged in.' },
    elapsedMs: 3_200,
    stderrTail: ['error: no login'],
  };
  return viewAfter(created(), event);
};

afterEach(() => vi.unstubAllGlobals());

describe('a launch that failed', () => {
  it('tells what happened, where, its last words and what to do', () => {
    draw(<FailurePanel view={failed('auth_missing')} items={[]} />);
    expect(screen.getByText('The sentinel is not logged in.')).toBeInTheDocument();
    expect(screen.getByText('error: no login')).toBeInTheDocument();
    expect(screen.getByText(/in stage spawned/)).toHaveTextContent('after 3.2 s');
    expect(screen.getByText(/Log in to the engine/)).toBeInTheDocument();
  });

  it('has a way on for every kind of failure', () => {
    for (const code of PROVIDER_FAILURES) {
      const { container, unmount } = draw(<FailurePanel view={failed(code)} items={[]} />);
      expect(container).toHaveTextContent(/Retry|Launch again/);
      unmount();
    }
  });

  it('is tried again by Retry', async () => {
    const called: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      called.push(path);
      return Response.json({ accepted: true }, { status: 202 });
    });
    const view = failed('overloaded');
    draw(<FailurePanel view={view} items={[]} />);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(called).toEqual([`/v1/sessions/${view.sessionId}/retry`]));
  });

  it('is not there while a session works', () => {
    const { container } = draw(
      <FailurePanel view={viewAfter(...eventsUntilApproval())} items={[]} />,
    );
    expect(container).toBeEmptyDOMElement();
  });
});

describe('a launch under way', () => {
  it('shows which stage it waits in', () => {
    draw(<LaunchProgress view={viewAfter(created())} />);
    expect(screen.getByRole('listitem', { current: 'step' })).toHaveTextContent('Queued');
  });

  it('is gone once the session works', () => {
    const { container } = draw(<LaunchProgress view={viewAfter(...eventsUntilApproval())} />);
    expect(container).toBeEmptyDOMElement();
  });
});

describe('the mark of a turn', () => {
  it('tells waiting, lost, working, done and failed apart', () => {
    const mark = (
      state: 'accepted' | 'started' | 'ended',
      over: { outcome?: 'ok' | 'killed'; delivery?: 'undelivered' } = {},
    ) => markOfTurn({ state, outcome: over.outcome ?? null, delivery: over.delivery ?? null }).word;
    expect([
      mark('accepted'),
      mark('accepted', { delivery: 'undelivered' }),
      mark('started'),
      mark('ended', { outcome: 'ok' }),
      mark('ended', { outcome: 'killed' }),
      mark('ended'),
    ]).toEqual(['waits', 'not delivered', 'works', 'done', 'killed', 'not known']);
  });
});
