import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { showUnseen } from '../../../protocol/preset.ts';
import { readSource } from '../../guard/source.ts';
import { EXIT, Failure } from '../../failure.ts';
import { findLimitsPath } from '../../limits.ts';
import {
  approveCheck,
  findChecksPath,
  readApprovedChecks,
  withdrawCheck,
} from '../../limits/approved-checks.ts';
import { askYes } from '../ask-yes.ts';
import { keepNames } from '../command-name.ts';
import { formatTable, oneLine } from '../format.ts';
import { withDirectory } from '../options.ts';
import { note, print } from '../output.ts';
import { readChecklist } from '../pilot/checklist.ts';

const HASH_CHARS = 12;
const path = (): string => findChecksPath(findLimitsPath(process.env));

/** `pilothouse checks …`: which lines a Pilot may let this machine run to prove its work. */
export function addChecks(program: Command): void {
  const checks = program
    .command('checks')
    .description('approve the checks of a checklist on this machine, list and withdraw them');
  const approve = checks
    .command('approve')
    .description('let the checks of a file run in the checkouts of a repository, to the letter')
    .argument('<file>', 'checklist, in YAML or JSON');
  withDirectory(approve, 'the repository (default: the current directory)')
    .option('--yes', 'approve without being asked')
    .option('--json', 'print JSON, errors included')
    .action(runApprove);
  checks
    .command('list')
    .description('list the checks that are approved on this machine')
    .option('--json', 'print JSON, errors included')
    .action((options: { json?: true }) => {
      const items = readApprovedChecks(path());
      print(options.json, { items }, () =>
        items.length === 0
          ? 'No check is approved on this machine.'
          : formatTable(
              ['CHECK', 'REPOSITORY', 'SHA256', 'SINCE'],
              items.map(({ command, directory, sha256, approvedAt }) => [
                oneLine(command, 50),
                directory,
                sha256.slice(0, HASH_CHARS),
                approvedAt.slice(0, 10),
              ]),
            ),
      );
    });
  checks
    .command('withdraw')
    .description('take an approval back')
    .argument('<sha256>', 'the hash that `checks list` shows')
    .option('--json', 'print JSON, errors included')
    .action(runWithdraw);
}

function runWithdraw(hash: string, options: { json?: true }): void {
  const withdrawn = hash.length < HASH_CHARS ? [] : withdrawCheck(path(), hash);
  if (withdrawn.length === 0)
    throw new Failure(
      EXIT.refused,
      'not_approved',
      `No approved check has the hash ${hash}. \`pilothouse checks list\` shows those that there are.`,
    );
  print(options.json, { withdrawn }, () =>
    withdrawn.map(({ command }) => `No longer approved: ${shown(command)}`).join('\n'),
  );
}

async function runApprove(
  file: string,
  options: { directory?: string; yes?: true; json?: true },
): Promise<void> {
  const commands = [...new Set(readChecklist(file).map(({ check }) => check))];
  const directory = await repositoryOf(options.directory ?? '.');
  if (!options.yes) await confirm(commands, directory);
  for (const command of commands) approveCheck(path(), { command, directory }, Date.now());
  print(options.json, { directory, approved: commands }, () =>
    [`Approved in ${directory}:`, ...commands.map((command) => `  ${shown(command)}`)].join('\n'),
  );
}

/** Where the approvals count: at the top of a repository, for all its checkouts are of it. */
async function repositoryOf(directory: string): Promise<string> {
  try {
    const real = realpathSync(directory);
    return (await readSource(real))?.top ?? real;
  } catch (error) {
    const sentence = `There is no directory ${directory}. Name the repository with --directory.`;
    throw new Failure(EXIT.usage, 'directory_missing', sentence, { cause: error });
  }
}

async function confirm(commands: readonly string[], directory: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      EXIT.usage,
      'usage',
      'Nobody can be asked here. Read the checks, then approve them with --yes.',
    );
  const lines = commands.map((command) => `  ${shown(command)}`).join('\n');
  note(
    `Sessions of ${directory} could then run, as you and with no further question:\n\n${lines}\n\n`,
  );
  if (await askYes('Approve them?')) return;
  throw new Failure(EXIT.refused, 'check_not_approved', 'Nothing was approved.');
}

/** A line of somebody else's, as it would be run. */
const shown = (command: string): string => keepNames(showUnseen(command));
