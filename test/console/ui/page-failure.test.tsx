import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unreachable } from '../../../console/errors.ts';
import { lazyPage } from '../../../console/lib/lazy-page.tsx';
import { noteReachability } from '../../../console/lib/reachability.ts';
import { watchStaleBuild } from '../../../console/lib/stale-build.ts';
import { PageFailure } from '../../../console/ui/page-failure.tsx';
import { draw } from '../support/render.tsx';

afterEach(() => {
  act(() => noteReachability(true));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (error: Error) => {
  const reset = vi.fn();
  draw(<PageFailure error={error} reset={reset} />);
  return reset;
};

describe('a page that could not be drawn', () => {
  it('comes by itself once the server is back, and not before', () => {
    noteReachability(false);
    const reset = open(unreachable(null));
    expect(screen.getByRole('alert')).toHaveTextContent('Pilothouse did not answer.');
    expect(reset).not.toHaveBeenCalled();
    act(() => noteReachability(true));
    expect(reset).toHaveBeenCalledOnce();
  });

  it('is loaded anew when somebody tries again, because its code may be what was missing', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    const load = vi.fn(() => Promise.reject(new TypeError('no such file')));
    const page = lazyPage(load);
    await page.preload?.();
    const reset = open(unreachable(null));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(reset).toHaveBeenCalledOnce();
    await page.preload?.();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('that a new version replaced takes the whole document anew', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue(undefined);
    const replaced = new TypeError('Failed to fetch dynamically imported module');
    const target = new EventTarget();
    watchStaleBuild(target);
    target.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: replaced }));
    const reset = open(replaced);
    expect(screen.getByRole('alert')).toHaveTextContent('Reload the page');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(reload).toHaveBeenCalledOnce();
    expect(reset).not.toHaveBeenCalled();
  });

  it('by a fault of its own does not go round in circles while the server answers', () => {
    const reset = open(new Error('x is undefined'));
    act(() => noteReachability(false));
    act(() => noteReachability(true));
    expect(reset).not.toHaveBeenCalled();
  });
});
