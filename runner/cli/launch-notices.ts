import { blindForecast } from '../../protocol/engine-authority.ts';
import type { Grade } from '../../protocol/grade.ts';
import type { LaunchRequest, RunnerSummary } from '../../protocol/http.ts';
import type { Api } from './api.ts';

/** How long a launch waits for what its directory is like, in ms: it may go without. */
const WITHIN_MS = 3_000;

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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  try {
    const found = await Promise.race([api.describeWorkspace(runnerId, directory), late]);
    return (found?.problems ?? []).filter(({ blocks }) => !blocks).map(({ message }) => message);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** That nobody will see some of what this engine does, where that holds in the grade it will get. */
export function noticeBlind(
  { engineId }: Pick<LaunchRequest, 'engineId'>,
  { machine }: Pick<RunnerSummary, 'machine'>,
  grade: Grade | null,
): string[] {
  const acts = machine?.engines.find((each) => each.engineId === engineId)?.capabilities?.acts;
  const said = acts && grade ? blindForecast({ acts }, grade) : '';
  return said === '' ? [] : [said];
}
