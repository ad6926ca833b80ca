import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { LaunchDecision, Limits } from '../limits.ts';
import { approval, ApprovalFile, hashOfRuns } from './approval-file.ts';

const approvedCheck = z.strictObject({
  ...approval,
  command: z.string(),
  /** Real path of the repository's top, or of the directory that is in none. */
  directory: z.string(),
});
export type ApprovedCheck = z.infer<typeof approvedCheck>;

const file = new ApprovalFile(approvedCheck, 'pilothouse checks approve');

/** Where approvals of checks stand: beside the machine's limits, which no session may work in. */
export function findChecksPath(limitsPath: string): string {
  return join(dirname(limitsPath), 'approved-checks.json');
}

/** The canonical text of a check: the same line in another repository is another program. */
export function runsOf(command: string, directory: string): string {
  return JSON.stringify({ check: command, directory });
}

/** What was approved on this machine. Throws `limits_unreadable`; no file is no approval. */
export function readApprovedChecks(path: string): ApprovedCheck[] {
  return file.read(path);
}

/** Lets a line run as a check in the checkouts of this repository. */
export function approveCheck(
  path: string,
  { command, directory }: { command: string; directory: string },
  nowMs: number,
): void {
  const runs = runsOf(command, directory);
  file.add(path, { runs, sha256: hashOfRuns(runs), command, directory }, nowMs);
}

/** Takes approvals back, by the beginning of their hash. Returns those that went. */
export function withdrawCheck(path: string, hash: string): ApprovedCheck[] {
  return file.withdraw(path, ({ sha256 }) => sha256.startsWith(hash.toLowerCase()));
}

/** Decides whether a line from outside may run as a check here: to the letter, and only so. */
export function decideCheckAllowed(
  command: string,
  directory: string,
  machine: { approved: readonly ApprovedCheck[]; limits: Limits },
): LaunchDecision {
  const runs = runsOf(command, directory);
  if (machine.approved.some((each) => each.runs === runs)) return { allowed: true };
  if (machine.limits.commands.includes(command)) return { allowed: true };
  return { allowed: false, code: 'check_not_approved', detail: command };
}
