import { join } from 'node:path';
import { launched, runnerPage, type LaunchRequest } from '../../protocol/http.ts';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { checkWhole, readBare, readDeltas, readEvents, type Arrival } from './arrivals.ts';
import { type BareRelay, startBareRelay } from './bare-client.ts';
import type { Content } from './lines.ts';
import { type Played, Producer, type Target } from './producer-client.ts';
import { Viewer } from './viewer.ts';

/** Time for the last completed block after its last piece of text, in ms. */
const SETTLE_MS = 150;
const ARRIVAL_TIMEOUT_MS = 120_000;

export type PathName = 'pilothouse' | 'bare';
export type Slice = { content: Content; count: number; everyMs: number };
export type Run = Played & { arrivals: readonly Arrival[] };

/** An engine that began a turn and now says nothing by itself. */
export const SILENT_ENGINE = { turns: [[{ do: 'wait' as const, ms: 3_600_000 }]] };

/** Launches a rehearsal in a directory and waits until its first turn is under way or over. */
export async function launch(
  world: RehearsalWorld,
  directory: string,
  state: 'working' | 'idle',
  over: Partial<LaunchRequest> = {},
): Promise<string> {
  const { items } = await world.get(runnerPage, '/v1/runners');
  const runner = items[0];
  if (!runner) throw new Error('the installation has no runner');
  const request: LaunchRequest = {
    runnerId: runner.runnerId,
    engineId: 'rehearsal',
    directory,
    objective: 'Say what the bench gives you',
    checkout: 'inPlace',
    baseRef: null,
    fromUncommitted: false,
    approvals: 'ask',
    model: null,
    budgetMicroUsd: null,
    ...over,
  };
  const response = await world.call('/v1/sessions', request);
  if (!response.ok) throw new Error(`the launch failed: ${await response.text()}`);
  const { sessionId } = launched.parse(await response.json());
  await world.untilState(sessionId, state);
  return sessionId;
}

/**
 * Both ways from one producer to one viewer: through a real installation, as `npm start` runs it,
 * and through a bare relay.
 */
export class Paths {
  readonly #world: RehearsalWorld;
  readonly #relay: BareRelay;
  readonly #producer = new Producer();
  readonly #targets: Record<PathName, Target>;
  readonly #viewers: Record<PathName, Viewer>;
  #runs = 0;

  private constructor(
    world: RehearsalWorld,
    relay: BareRelay,
    targets: Record<PathName, Target>,
    viewers: Record<PathName, Viewer>,
  ) {
    this.#world = world;
    this.#relay = relay;
    this.#targets = targets;
    this.#viewers = viewers;
  }

  static async open(): Promise<Paths> {
    const world = await RehearsalWorld.start(SILENT_ENGINE);
    const relay = await startBareRelay();
    const sessionId = await launch(world, world.repository, 'working');
    const address = new URL(`/v1/sessions/${sessionId}/socket`, world.installation.url);
    address.protocol = 'ws:';
    const session = await Viewer.connect(address.href, {
      authorization: `Bearer ${world.cliToken}`,
    });
    session.send({ type: 'subscribe', after: 0 });
    await session.awaitText('"turn/started"', ARRIVAL_TIMEOUT_MS);
    return new Paths(
      world,
      relay,
      {
        pilothouse: {
          kind: 'spool',
          path: join(world.layout.runner, 'spools', `${sessionId}.1.out`),
        },
        bare: { kind: 'bare', url: relay.producerUrl },
      },
      { pilothouse: session, bare: await Viewer.connect(relay.viewerUrl) },
    );
  }

  /** Sends one slice down a path and waits for all of it. Throws when any of it is lost. */
  async run(path: PathName, { content, count, everyMs }: Slice): Promise<Run> {
    const viewer = this.#viewers[path];
    viewer.take();
    const run = `bench${this.#runs++}`;
    const play = { run, target: this.#targets[path], content, count, everyMs };
    const arrived = viewer.awaitText(`[${count - 1}@`, ARRIVAL_TIMEOUT_MS);
    const [played] = await Promise.all([this.#producer.play(play), arrived]);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const frames = viewer.take();
    const read = path === 'bare' ? readBare : content === 'events' ? readEvents : readDeltas;
    const arrivals = read(frames);
    checkWhole(arrivals, count);
    return { ...played, arrivals };
  }

  async close(): Promise<void> {
    for (const viewer of Object.values(this.#viewers)) viewer.close();
    this.#producer.stop();
    this.#relay.stop();
    await this.#world.stop();
  }
}
