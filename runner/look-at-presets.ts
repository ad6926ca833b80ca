import type { EngineReadiness } from '../protocol/machine.ts';
import {
  capabilitiesOf,
  commandLineOf,
  type EnginePreset,
  parsePreset,
} from '../protocol/preset.ts';
import { engineOfPreset, isInstalled } from './engines/presets.ts';
import { ENGINES, probeEngine } from './engines/registry.ts';
import { messageOf } from './failure.ts';
import { parseJson } from './json.ts';
import { findLimitsPath, readLimits } from './limits.ts';
import {
  type ApprovedEngine,
  decidePresetAllowed,
  findApprovalsPath,
  readApprovedEngines,
} from './limits/approved-engines.ts';
import { withoutExecutable } from './machine.ts';

/**
 * How this machine stands with engines that the account keeps. A program that was not approved
 * here is not started even to be looked at. Never throws: what is in the way is told.
 */
export async function lookAtPresets(
  env: NodeJS.ProcessEnv,
  presets: readonly EnginePreset[],
): Promise<EngineReadiness[]> {
  return Promise.all(presets.map((preset) => lookAt(env, preset)));
}

async function lookAt(env: NodeJS.ProcessEnv, preset: EnginePreset): Promise<EngineReadiness> {
  const { id: engineId, label } = preset;
  const installed = isInstalled(preset, env);
  const notReady = (problem: string, remedy: string): EngineReadiness => ({
    engineId,
    label,
    ready: false,
    version: null,
    payer: 'unknown',
    credential: null,
    approvals: [],
    capabilities: capabilitiesOf(preset),
    installed,
    problem,
    remedy,
  });
  try {
    const path = findLimitsPath(env);
    const decision = decidePresetAllowed(
      { engineId, preset, model: null },
      {
        approved: readApprovedEngines(findApprovalsPath(path)),
        commands: readLimits(path).commands,
        ownEngines: ENGINES.map(({ id }) => id),
      },
    );
    if (!decision.allowed) {
      const unapproved = notReady(
        `\`${commandLineOf(preset)}\` is not approved on this machine.`,
        `Read it there, then run \`pilothouse engines approve ${engineId}\`.`,
      );
      if (installed) return unapproved;
      // Both are in the way, and in this order: without a program there is nothing to approve.
      const { problem, remedy } = await probeEngine(engineOfPreset(preset), env);
      return notReady(
        joined(problem, unapproved.problem),
        joined(remedy, `Then: ${unapproved.remedy}`),
      );
    }
  } catch (error) {
    return notReady(messageOf(error), 'Run `pilothouse runner doctor` on this machine.');
  }
  // Without a program this starts nothing either: it says where it looked, and what to do.
  return { ...withoutExecutable(await probeEngine(engineOfPreset(preset), env)), installed };
}

const joined = (...sentences: (string | null)[]): string => sentences.filter(Boolean).join(' ');

/**
 * How the machine stands with the engines that were approved on it, whoever described them. None
 * where the approvals cannot be read: every launch says so then, and how to mend it.
 */
export async function lookAtApproved(env: NodeJS.ProcessEnv): Promise<EngineReadiness[]> {
  try {
    const approved = readApprovedEngines(findApprovalsPath(findLimitsPath(env)));
    return await lookAtPresets(
      env,
      approved.flatMap((each) => presetOf(each) ?? []),
    );
  } catch {
    return [];
  }
}

/** The engine that an approval is of, under the name that it had then. */
function presetOf({ id, runs }: ApprovedEngine): EnginePreset | null {
  const fields = parseJson(runs);
  if (typeof fields !== 'object' || fields === null) return null;
  const parsed = parsePreset({ ...fields, id, label: id });
  return parsed.ok ? parsed.preset : null;
}
