import { dirname, join } from 'node:path';
import { z } from 'zod';
import { engineId } from '../../protocol/engine-id.ts';
import {
  commandLineOf,
  type EnginePreset,
  runnableOf,
  takesWholeCommand,
} from '../../protocol/preset.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { LaunchDecision } from '../limits.ts';
import { approval, ApprovalFile, hashOfRuns } from './approval-file.ts';

const approvedEngine = z.strictObject({
  ...approval,
  /** What it was called when it was approved: for whoever reads the file, and decides nothing. */
  id: engineId,
  commandLine: z.string(),
});
export type ApprovedEngine = z.infer<typeof approvedEngine>;
const file = new ApprovalFile(approvedEngine, 'pilothouse engines approve');

/** The name of what runs: SHA-256 in hex of its canonical text. */
export function hashOf(preset: EnginePreset): string {
  return hashOfRuns(runnableOf(preset));
}

/** Where approvals stand: beside the machine's limits, which no session may work in. */
export function findApprovalsPath(limitsPath: string): string {
  return join(dirname(limitsPath), 'approved-engines.json');
}

/** What was approved on this machine. Throws `limits_unreadable`; no file is no approval. */
export function readApprovedEngines(path: string): ApprovedEngine[] {
  return file.read(path);
}

/** Decides whether exactly what a preset runs was approved: by its text, whatever it is called. */
export function isApproved(
  preset: EnginePreset,
  approved: readonly ApprovedEngine[],
  commands: readonly string[],
): boolean {
  const runs = runnableOf(preset);
  if (approved.some((each) => each.runs === runs)) return true;
  // A line that the person wrote in limits.toml says nothing of less: it gets the whole environment.
  // Nor does it say that anything may be typed into the command from afar.
  const plain = preset.env === null && preset.prompts.length === 0;
  return plain && commands.includes(commandLineOf(preset));
}

/**
 * Decides whether a launch may run the engine that the cloud handed over with it. Nothing that the
 * cloud says makes up for an approval: not a name that was approved for another command, nor the
 * name of an engine that this runner knows by itself, unless exactly that was approved under it here.
 */
export function decidePresetAllowed(
  { engineId: asked, preset, model }: Pick<LaunchSpec, 'engineId' | 'preset' | 'model'>,
  machine: {
    approved: readonly ApprovedEngine[];
    commands: readonly string[];
    /** Ids of the engines that this runner's own code has. */
    ownEngines: readonly string[];
  },
): LaunchDecision {
  if (preset === null) return { allowed: true };
  const refuse = (code: ErrorCode, detail: string) => ({ allowed: false as const, code, detail });
  if (preset.id !== asked) return refuse('bad_request', `${asked} was asked for with ${preset.id}`);
  const taken = machine.ownEngines.includes(asked);
  const approved = machine.approved.filter(({ id }) => !taken || id === asked);
  // A line of limits.toml is a command without a name: it makes nothing of it this engine.
  if (!isApproved(preset, approved, taken ? [] : machine.commands))
    return taken
      ? refuse('engine_id_taken', asked)
      : refuse('engine_not_approved', commandLineOf(preset));
  if (takesWholeCommand(preset) && model !== null)
    return refuse('unsupported', 'it takes no model; name the model in its command');
  return { allowed: true };
}

/** Adds an approval. Again for the same changes nothing. */
export function approveEngine(path: string, preset: EnginePreset, nowMs: number): void {
  const runs = runnableOf(preset);
  const { id } = preset;
  const commandLine = commandLineOf(preset);
  file.add(path, { id, commandLine, runs, sha256: hashOf(preset) }, nowMs);
}

/** Takes approvals back, by what they were called or by their hash. Returns those that went. */
export function withdrawApproval(path: string, idOrHash: string): ApprovedEngine[] {
  return file.withdraw(path, ({ id, sha256 }) => id === idOrHash || sha256 === idOrHash);
}
