import { blindForecast } from '../../protocol/engine-authority.ts';
import type { Grade } from '../../protocol/grade.ts';
import type { LaunchRequest, RunnerSummary } from '../../protocol/http.ts';
import { capabilitiesOf } from '../../protocol/preset.ts';
import type { Api } from './api.ts';

/** How long a launch waits for what is worth saying before it, in ms: it may go without. */
const WITHIN_MS = 3_000;

/** What is answered in time; null where nothing is, or a refusal. */
async function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  try {
    return await Promise.race([asked, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What will be different in a checkout of the directory, each as a sentence with what to do: files
 * of Git LFS, submodules. Empty where nothing is, or where the machine does not say so in time;
 * what keeps the launch from being made is told by the launch itself.
 */
export async function readNotices(
  api: Pick<Api, 'describeWorkspace'>,
  { directory, checkout }: Pick<LaunchRequest, 'directory' | 'checkout'>,
  { runnerId, presence }: Pick<RunnerSummary, 'runnerId' | 'presence'>,
  withinMs = WITHIN_MS,
): Promise<string[]> {
  if (presence !== 'online' || directory === null || checkout === 'inPlace') return [];
  const found = await inTime(api.describeWorkspace(runnerId, directory), withinMs);
  return (found?.problems ?? []).filter(({ blocks }) => !blocks).map(({ message }) => message);
}

/**
 * That nobody will see some of what this engine does, where that holds in the grade it will get. Machines
 * do not list the engines that an account adds; what those tell is read with them.
 */
export async function noticeBlind(
  api: Pick<Api, 'readEngine'>,
  { engineId }: Pick<LaunchRequest, 'engineId'>,
  { machine }: Pick<RunnerSummary, 'machine'>,
  grade: Grade | null,
  withinMs = WITHIN_MS,
): Promise<string[]> {
  if (grade === null || machine?.engines.some((each) => each.engineId === engineId)) return [];
  const entry = (await inTime(api.readEngine(engineId), withinMs))?.entry;
  const said = entry ? blindForecast(capabilitiesOf(entry.preset), grade) : '';
  return said === '' ? [] : [said];
}
