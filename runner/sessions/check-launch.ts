import { realpath } from 'node:fs/promises';
import { PilothouseError } from '../../protocol/errors.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import { budgetObstacle } from '../../protocol/machine.ts';
import type { Engine, FoundEngine, Readiness } from '../engines/engine.ts';
import { PREFLIGHT_WITHIN_MS } from '../engines/executable.ts';
import { createDeadline, TooLate } from '../process/deadline.ts';
import { FREE_FLOOR_BYTES } from '../process/free-space.ts';
import { type LaunchPorts, LaunchRefused, notReady, refuseLaunch } from './launcher.ts';

/**
 * Checks a launch for work in `directory` before anything is made for it: the directory, the
 * machine's own limits, and only then, beside each other, its free space and the engine. Over
 * within {@link PREFLIGHT_WITHIN_MS}; `warnings` are what stops nothing. Throws {@link LaunchRefused}.
 */
export async function checkLaunch(
  ports: LaunchPorts,
  launch: LaunchSpec,
  directory = launch.directory,
): Promise<{ engine: Engine; found: FoundEngine; warnings: Warnings }> {
  const engine = ports.findEngine(launch);
  if (!engine) throw refuseLaunch('engine_unknown', launch.engineId);
  const until = createDeadline(PREFLIGHT_WITHIN_MS);
  try {
    const real =
      directory === null ? '' : await until.within(resolveDirectory(directory), `\`${directory}\``);
    const decision = ports.decideAllowed(launch, real);
    if (!decision.allowed) throw refuseLaunch(decision.code, decision.detail);
    const [freeBytes, readiness] = await Promise.all([
      until.within(ports.readFreeBytes(), 'the free space'),
      until.within(ports.probe(engine), engine.label),
    ]);
    if (freeBytes < FREE_FLOOR_BYTES) throw refuseLaunch('disk_full', describeSpace(freeBytes));
    return { engine, ...decideFound(readiness, launch) };
  } catch (error) {
    throw error instanceof TooLate ? tooSlow(error.what) : error;
  } finally {
    until.end();
  }
}

/** What is told of a launch that goes on all the same. */
type Warnings = NonNullable<Readiness['warnings']>;

/** What the look at an engine means for a launch. Throws {@link LaunchRefused}. */
function decideFound(
  readiness: Readiness,
  { approvals, budgetMicroUsd, model }: LaunchSpec,
): { found: FoundEngine; warnings: Warnings } {
  if (readiness.executable === null || !readiness.ready) throw notReady(readiness);
  const refused = readiness.refusedModes?.find(({ mode }) => mode === approvals);
  if (refused)
    throw notReady({ ...readiness, ...refused, remedy: null, failure: 'settings_unusable' });
  const unpriced = budgetMicroUsd === null ? null : budgetObstacle(readiness, approvals, model);
  if (unpriced) throw refuseLaunch('budget_unpriced', unpriced);
  const { executable, version, payer, credential, warnings = [] } = readiness;
  return { found: { executable, version, payer, credential }, warnings };
}

/** The directory without symbolic links, on a disk that may not answer. Throws `directory_missing`. */
async function resolveDirectory(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    throw new PilothouseError('directory_missing', { detail: directory }, { cause: error });
  }
}

/** The refusal of a look that was not over in time: `what` is what it waited for. */
function tooSlow(what: string): LaunchRefused {
  const seconds = PREFLIGHT_WITHIN_MS / 1_000;
  const message = `The look at ${what} was not over within ${seconds} s, so nothing was started. The machine may be busy: try again; if it stays so, \`pilothouse doctor\` there looks at each part.`;
  return new LaunchRefused({
    state: 'provider_failed',
    code: 'workspace_refused',
    error: { code: 'preflight_slow', message },
  });
}

const describeSpace = (freeBytes: number): string => {
  const mib = (bytes: number) => Math.floor(bytes / 1024 ** 2);
  return `${mib(freeBytes)} MiB free, ${mib(FREE_FLOOR_BYTES)} needed`;
};
