import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { meQuery, recentSessionsQuery } from './api/queries.ts';
import { isSignedOut, RequestFailure } from './errors.ts';
import { registerWorkerLater } from './lib/service-worker.ts';
import { watchStaleBuild } from './lib/stale-build.ts';
import { paths } from './paths.ts';
import { createConsoleRouter } from './routes.tsx';
import { followKeyboard } from './lib/visible-height.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

const RETRIES = 2;

/** A session that ended on the server ends on every page at once. */
function noticeSignedOut(error: unknown): void {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
}

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== meQuery.queryKey[0]) noticeSignedOut(error);
    },
  }),
  mutationCache: new MutationCache({ onError: noticeSignedOut }),
  defaultOptions: {
    queries: {
      // Loopback answers without any network, so the browser's idea of "online" decides nothing.
      networkMode: 'always',
      staleTime: 2_000,
      retry: (count, error) =>
        error instanceof RequestFailure &&
        error.retryable &&
        error.code !== 'unreachable' &&
        count < RETRIES,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// Every page but the one that signs in begins with these: they are asked for while it is made.
if (location.pathname !== paths.signIn()) {
  void queryClient.prefetchQuery(meQuery);
  void queryClient.prefetchQuery(recentSessionsQuery);
}
watchStaleBuild(window);
if (window.visualViewport) followKeyboard(window.visualViewport, document.documentElement);
if (import.meta.env.PROD) registerWorkerLater();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <RouterProvider router={createConsoleRouter()} />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
