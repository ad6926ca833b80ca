import type { EngineReadiness } from '../../protocol/machine.ts';
import { type EnginePreset, parsePreset } from '../../protocol/preset.ts';
import { parseJson } from '../json.ts';
import { findLimitsPath } from '../limits.ts';
import {
  type ApprovedEngine,
  findApprovalsPath,
  readApprovedEngines,
} from '../limits/approved-engines.ts';
import { lookAtPresets } from '../look-at-presets.ts';

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
