import '../support/dom.ts';
import { act, render, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tellError } from '../../../console/errors.ts';
import { lazyPage, retryPages } from '../../../console/lib/lazy-page.tsx';
import { noteReachability } from '../../../console/lib/reachability.ts';

/** Stands around a page as the router does: says what went wrong, and can draw it anew. */
class Around extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    const { error } = this.state;
    if (error === null) return <Suspense fallback="loading">{this.props.children}</Suspense>;
    return (
      <button type="button" onClick={() => this.setState({ error: null })}>
        {tellError(error).sentence}
      </button>
    );
  }
}

const Chart = () => <p>The chart</p>;
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const open = (Page: ReturnType<typeof lazyPage>) =>
  act(async () => {
    render(
      <Around>
        <Page />
      </Around>,
    );
  });
const drawAnew = () => act(async () => screen.getByRole('button').click());

beforeEach(() => {
  // React tells the console of every error that a boundary caught.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.stubGlobal('fetch', async () => Response.json({}));
});
afterEach(() => {
  retryPages();
  noteReachability(true);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a page that is loaded when somebody goes there', () => {
  it('is loaded once, however often it is drawn and wherever a hand hovered first', async () => {
    const load = vi.fn(async () => Chart);
    const page = lazyPage(load);
    await page.preload?.();
    await open(page);
    await open(page);
    expect(screen.getAllByText('The chart')).toHaveLength(2);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('shows that it loads meanwhile', async () => {
    let come: (page: typeof Chart) => void = () => undefined;
    await open(lazyPage(() => new Promise((resolve) => void (come = resolve))));
    expect(screen.getByText('loading')).toBeInTheDocument();
    await act(async () => come(Chart));
    expect(screen.getByText('The chart')).toBeInTheDocument();
  });

  it('that cannot be loaded while the server answers fails with its own error', async () => {
    await open(lazyPage(gone));
    expect(screen.getByRole('button')).toHaveTextContent(tellError(new Error('other')).sentence);
  });

  it('that cannot be loaded while nothing answers says that nothing answers', async () => {
    vi.stubGlobal('fetch', gone);
    await open(lazyPage(gone));
    expect(screen.getByRole('button')).toHaveTextContent('Pilothouse did not answer.');
  });

  it('stays failed when it is only drawn anew, and is loaded once pages are tried again', async () => {
    const load = vi.fn<() => Promise<typeof Chart>>(async () => Chart).mockImplementationOnce(gone);
    await open(lazyPage(load));
    await drawAnew();
    expect(load).toHaveBeenCalledTimes(1);
    retryPages();
    await drawAnew();
    expect(screen.getByText('The chart')).toBeInTheDocument();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('that was loaded is not loaded anew because another is tried again', async () => {
    const load = vi.fn(async () => Chart);
    const [there, failing] = [lazyPage(load), lazyPage(gone)];
    await there.preload?.();
    await failing.preload?.();
    retryPages();
    await there.preload?.();
    expect(load).toHaveBeenCalledTimes(1);
  });
});
