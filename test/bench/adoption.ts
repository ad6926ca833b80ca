import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { LineWriter, monotonicMs, readMarks } from './lines.ts';
import { launch, SILENT_ENGINE } from './paths.ts';
import { Viewer } from './viewer.ts';

/** Launches under way at once: each starts a process, and the machine has other things to do. */
const LAUNCHES = 4;
const TIMEOUT_MS = 120_000;

/** From kill -9 of the runner until a viewer sees what an engine wrote meanwhile, in ms. */
export type AdoptionReport = {
  sessions: number;
  one: number;
  firstOfAll: number;
  lastOfAll: number;
};

/**
 * How long sessions at work are cut off when their runner is killed and started again: with one
 * session, and with many, in the same installation.
 */
export async function measureAdoption(sessions: number): Promise<AdoptionReport> {
  const world = await RehearsalWorld.start(SILENT_ENGINE);
  try {
    const watched = [await watch(world, 0)];
    const [one = 0] = await killAndWait(world, watched, 'one');
    const queue = Array.from({ length: sessions - 1 }, (_, index) => index + 1);
    const work = async () => {
      for (let index = queue.pop(); index !== undefined; index = queue.pop())
        watched.push(await watch(world, index));
    };
    await Promise.all(Array.from({ length: LAUNCHES }, work));
    const all = await killAndWait(world, watched, 'all');
    for (const { viewer } of watched) viewer.close();
    return { sessions, one, firstOfAll: Math.min(...all), lastOfAll: Math.max(...all) };
  } finally {
    await world.stop();
  }
}

type Watched = { spool: string; viewer: Viewer };

async function watch(world: RehearsalWorld, index: number): Promise<Watched> {
  const directory = join(world.home, 'adopted', String(index));
  mkdirSync(directory, { recursive: true });
  const sessionId = await launch(world, directory, 'working');
  const address = new URL(`/v1/sessions/${sessionId}/socket`, world.installation.url);
  address.protocol = 'ws:';
  const authorization = `Bearer ${world.cliToken}`;
  const viewer = await Viewer.connect(address.href, { authorization });
  viewer.send({ type: 'subscribe', after: 0 });
  await viewer.awaitText('"turn/started"', TIMEOUT_MS);
  return { viewer, spool: join(world.layout.runner, 'spools', `${sessionId}.1.out`) };
}

/** Kills the runner, lets every engine say one line, and waits until each line is seen. */
async function killAndWait(
  world: RehearsalWorld,
  watched: readonly Watched[],
  run: string,
): Promise<number[]> {
  const killedAt = monotonicMs();
  process.kill(Number(readFileSync(world.layout.runnerPidFile, 'utf8')), 'SIGKILL');
  return Promise.all(
    watched.map(async ({ viewer, spool }, index) => {
      viewer.take();
      const line = new LineWriter(`${run}${index}`, 'events').line({ index, sentAt: killedAt });
      appendFileSync(spool, `${line}\n`);
      await viewer.awaitText(`[${index}@`, TIMEOUT_MS);
      const frame = viewer.take().find(({ text }) => readMarks(text).length > 0);
      if (!frame) throw new Error('a line arrived and cannot be found');
      return frame.at - killedAt;
    }),
  );
}
