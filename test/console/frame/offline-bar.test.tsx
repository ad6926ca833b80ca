import { act, screen, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OfflineBar, StaleBar } from '../../../console/frame/offline-bar.tsx';
import { noteReachability } from '../../../console/lib/reachability.ts';
import { draw } from '../support/render.tsx';

/** After every real time: the clock of a page does not go back. */
const T = Date.parse('2126-11-30T10:00:00Z');
const DAY = 24 * 60 * 60_000;

afterEach(() => {
  act(() => noteReachability(true));
  vi.useRealTimers();
});

describe('the bar of a page that shows old things', () => {
  it('says since when, for how long, and counts on while one watches', () => {
    vi.useFakeTimers({ now: T + 65_000 });
    draw(<StaleBar since={T} retry={() => undefined} />);
    expect(screen.getByRole('status')).toHaveTextContent('(1 min)');
    expect(screen.getByRole('status').querySelector('time')).toHaveAttribute(
      'datetime',
      '2126-11-30T10:00:00.000Z',
    );
    act(() => void vi.advanceTimersByTime(60_000));
    expect(screen.getByRole('status')).toHaveTextContent('(2 min)');
  });

  it('counts nothing below zero where clocks disagree', () => {
    vi.useFakeTimers({ now: T + DAY });
    draw(<StaleBar since={T + DAY + 90_000} retry={() => undefined} />);
    expect(screen.getByRole('status')).toHaveTextContent('(0 s)');
  });

  it('is not there while the server answers, comes when it does not, and goes again', () => {
    draw(<OfflineBar />);
    expect(screen.queryByRole('status')).toBeNull();
    act(() => noteReachability(false));
    expect(screen.getByRole('status')).toHaveTextContent('You see what was known then');
    act(() => noteReachability(true));
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('asks again for what the page shows, and for nothing else', async () => {
    const read = vi.fn(async (what: string) => what);
    const Shown = ({ what }: { what: string }) => {
      useQuery({ queryKey: [what], queryFn: () => read(what), staleTime: Infinity });
      return null;
    };
    const page = (what: string) => (
      <>
        <OfflineBar />
        <Shown key={what} what={what} />
      </>
    );
    const { redraw } = draw(page('machines'));
    redraw(page('sessions'));
    await waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    read.mockClear();
    act(() => noteReachability(false));
    await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
    expect(read.mock.calls).toEqual([['sessions']]);
  });
});
