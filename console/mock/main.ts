import { eventsAfterApproval, eventsUntilApproval, LINK_TOKEN } from './sentinels.ts';
import { startMockServer } from './server.ts';
import { MockWorld } from './world.ts';

/** The port that the development server of the console asks by default. */
const PORT = 4801;

// `node console/mock/main.ts`: something to develop the console against without any machine.
const world = new MockWorld();
world.add(eventsUntilApproval());
world.add([
  ...eventsUntilApproval({ objective: 'Caulk the sentinel hull' }),
  ...eventsAfterApproval(),
]);
const { url } = await startMockServer(world, PORT);
process.stdout.write(`${url} answers; the console signs in at /sign-in#${LINK_TOKEN}\n`);
