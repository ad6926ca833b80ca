import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { z } from 'zod';
import { engineId } from '../protocol/engine-id.ts';
import { runnerId, sessionId } from '../protocol/ids.ts';
import { actsSearch } from './acts/search.ts';
import { decisionsSearch } from './decisions/filter.ts';
import { Frame } from './frame/frame.tsx';
import { spendSearch } from './ledger/search.ts';
import { periodSearch } from './ledger/window.ts';
import { idWord } from './lib/id-word.ts';
import { lazyPage } from './lib/lazy-page.tsx';
import { HomePage } from './pages/home.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { PageFailure } from './ui/page-failure.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** Everything that only somebody who is signed in sees. */
const house = createRoute({ getParentRoute: () => root, id: 'house', component: Frame });

const home = createRoute({ getParentRoute: () => house, path: '/', component: HomePage });
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });

const sessions = createRoute({
  getParentRoute: () => house,
  path: '/sessions',
  component: lazyPage(async () => (await import('./pages/sessions.tsx')).SessionsPage),
});

const session = createRoute({
  getParentRoute: () => house,
  path: '/sessions/$sessionId',
  component: lazyPage(async () => (await import('./pages/session.tsx')).SessionPage),
});

/** What a link to the launch page may fill in beforehand; an id that can be none reads as unsaid. */
export const launchSearch = z.object({
  engine: engineId.optional().catch(undefined),
  /** The session to go on from. */
  from: idWord(sessionId).optional().catch(undefined),
  /** Forks it: `now`, or the turn after which. */
  fork: z.string().optional().catch(undefined),
});

/** Which terminal of which machine. */
export const paneSearch = z.object({ runner: idWord(runnerId), target: z.string() });

const launch = createRoute({
  getParentRoute: () => house,
  path: '/launch',
  validateSearch: (search) => launchSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/launch.tsx')).LaunchPage),
});

const spend = createRoute({
  getParentRoute: () => house,
  path: '/spend',
  validateSearch: (search) => spendSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/spend.tsx')).SpendPage),
});

const compare = createRoute({
  getParentRoute: () => house,
  path: '/compare',
  validateSearch: (search) => z.object({ sessions: z.string().optional() }).parse(search),
  component: lazyPage(async () => (await import('./pages/compare.tsx')).ComparePage),
});

const acts = createRoute({
  getParentRoute: () => house,
  path: '/acts',
  validateSearch: (search) => actsSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/acts.tsx')).ActsPage),
});

const actsReport = createRoute({
  getParentRoute: () => house,
  path: '/acts/report',
  validateSearch: (search) => periodSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/acts-report.tsx')).ActsReportPage),
});

const machines = createRoute({
  getParentRoute: () => house,
  path: '/machines',
  component: lazyPage(async () => (await import('./pages/machines.tsx')).MachinesPage),
});

const engines = createRoute({
  getParentRoute: () => house,
  path: '/machines/engines',
  component: lazyPage(async () => (await import('./pages/engines.tsx')).EnginesPage),
});

const operators = createRoute({
  getParentRoute: () => house,
  path: '/operators',
  component: lazyPage(async () => (await import('./pages/operators.tsx')).OperatorsPage),
});

const instance = createRoute({
  getParentRoute: () => house,
  path: '/operators/$instanceId',
  component: lazyPage(async () => (await import('./pages/instance.tsx')).InstancePage),
});

const pane = createRoute({
  getParentRoute: () => house,
  path: '/machines/terminal',
  validateSearch: (search) => paneSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/pane.tsx')).PanePage),
});

const decisions = createRoute({
  getParentRoute: () => house,
  path: '/decisions',
  component: lazyPage(async () => (await import('./pages/decisions.tsx')).DecisionsPage),
});

const digest = createRoute({
  getParentRoute: () => house,
  path: '/digest',
  component: lazyPage(async () => (await import('./pages/digest.tsx')).DigestPage),
});

const settings = createRoute({
  getParentRoute: () => house,
  path: '/settings',
  component: lazyPage(async () => (await import('./pages/settings.tsx')).SettingsPage),
});

/** The rest of the address is the name of a repository, slashes included. */
const decisionsOf = createRoute({
  getParentRoute: () => house,
  path: '/decisions/of/$',
  validateSearch: (search) => decisionsSearch.parse(search),
  component: lazyPage(async () => (await import('./pages/decisions-of.tsx')).DecisionsOfPage),
});

const pages = house.addChildren([
  home,
  sessions,
  session,
  launch,
  spend,
  compare,
  acts,
  actsReport,
  machines,
  engines,
  operators,
  instance,
  pane,
  decisions,
  decisionsOf,
  settings,
  digest,
]);

/** Every state of every part side by side; a build for use does not hold it. */
const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/gallery',
        component: lazyPage(async () => (await import('./pages/gallery.tsx')).GalleryPage),
      }),
    ]
  : [];
const tree = root.addChildren([pages, signIn, ...development]);

/** The router of all pages. A page’s code is loaded when somebody goes there, or is about to. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: tree,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    defaultPendingMs: 150,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
