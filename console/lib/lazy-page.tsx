import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, use } from 'react';
import { unreachable } from '../errors.ts';
import { api } from '../paths.ts';
import { noteReachability } from './reachability.ts';

/** How to try again each page whose code could not be loaded. */
const failed = new Set<() => void>();

/** Lets every page whose code could not be loaded be loaded again when it is next drawn. */
export function retryPages(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * A page whose code is loaded when somebody goes there, or is about to. When that fails the page
 * in its place says why, and what is around it stays: the router's own way is to load the whole
 * document anew, of which nothing is left when the server is away.
 */
export function lazyPage(
  load: () => Promise<ComponentType>,
  explain = explainFailure,
): AsyncRouteComponent<object> {
  let page: ComponentType | null = null;
  let loading: Promise<void> | null = null;
  let failure: { error: unknown } | null = null;
  const forget = () => {
    failure = null;
    loading = null;
  };
  const attempt = async () => {
    try {
      page = await load();
    } catch (error) {
      failure = { error: await explain(error) };
      failed.add(forget);
    }
  };
  const preload = () => (loading ??= attempt());
  const LazyPage = () => {
    use(preload());
    if (failure) throw failure.error;
    const Loaded = page;
    return Loaded && <Loaded />;
  };
  return Object.assign(LazyPage, { preload });
}

/** A file that cannot be had is gone from the server only if that answers. */
async function explainFailure(error: unknown): Promise<unknown> {
  try {
    await fetch(api.health, { signal: AbortSignal.timeout(ANSWER_MS) });
    return error;
  } catch (cause) {
    noteReachability(false);
    return unreachable(cause);
  }
}

/** The health of a server that runs is answered at once, in ms. */
const ANSWER_MS = 3_000;
