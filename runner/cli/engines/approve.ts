import type { Command } from 'commander';
import type { EngineEntry } from '../../../protocol/engines.ts';
import { commandLineOf } from '../../../protocol/preset.ts';
import { EXIT, Failure } from '../../failure.ts';
import {
  approveEngine,
  hashOf,
  readApprovedEngines,
  withdrawApproval,
} from '../../limits/approved-engines.ts';
import { askYes } from '../ask-yes.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { note, print } from '../output.ts';
import { approvalsPath, approvedHere, describePreset, readEntry } from './words.ts';
import { keepNames } from '../command-name.ts';

const HASH_MIN_CHARS = 12;

/** `pilothouse engines approve`, `withdraw` and `approvals`: what may run on this machine. */
export function addApprovals(engines: Command): void {
  withConnection(engines.command('approve'))
    .description('let an engine run on this machine, exactly as it is shown')
    .argument('<engine>', 'id of the engine')
    .option('--hash <sha256>', 'approve without being asked, if it is still exactly this')
    .addHelpText('after', '\nA later change of what it runs has to be approved again.')
    .action(runApprove);
  engines
    .command('withdraw')
    .description('take an approval on this machine back')
    .argument('<engine>', 'id that it was approved under, or its sha256')
    .option('--json', 'print JSON, errors included')
    .action((id: string, options: { json?: true }) => {
      const withdrawn = withdrawApproval(approvalsPath(), id);
      if (withdrawn.length === 0)
        throw new Failure(
          EXIT.refused,
          'not_approved',
          `Nothing called ${id} is approved here. \`pilothouse engines approvals\` lists what is.`,
        );
      print(options.json, { withdrawn }, () =>
        withdrawn.map(({ commandLine }) => `No longer approved: ${commandLine}`).join('\n'),
      );
    });
  engines
    .command('approvals')
    .description('list what is approved on this machine')
    .option('--json', 'print JSON, errors included')
    .action((options: { json?: true }) => {
      const items = readApprovedEngines(approvalsPath());
      print(options.json, { items }, () =>
        items.length === 0
          ? 'No engine of your own is approved on this machine.'
          : formatTable(
              ['ENGINE', 'RUNS', 'SHA256', 'SINCE'],
              items.map((each) => [
                each.id,
                oneLine(each.commandLine, 50),
                each.sha256.slice(0, HASH_MIN_CHARS),
                each.approvedAt.slice(0, 10),
              ]),
            ),
      );
    });
}

async function runApprove(
  id: string,
  options: ConnectionOptions & { hash?: string },
): Promise<void> {
  const { api } = connect(options, process.env);
  const entry = await readEntry(api, id);
  const { preset, verified } = entry;
  const sha256 = hashOf(preset);
  const value = { engineId: id, commandLine: commandLineOf(preset), sha256 };
  if (verified || approvedHere(entry))
    return print(options.json, { ...value, approved: true }, () => `${id} may run here already.`);
  if (options.hash !== undefined) checkHash(options.hash, sha256);
  else await confirm(entry, sha256);
  approveEngine(approvalsPath(), preset, Date.now());
  print(options.json, { ...value, approved: true }, () =>
    [
      `Approved on this machine: ${value.commandLine}`,
      `Launch it with: pilothouse launch --engine ${id} "…"`,
    ].join('\n'),
  );
}

function checkHash(given: string, sha256: string): void {
  if (given.length >= HASH_MIN_CHARS && sha256.startsWith(given.toLowerCase())) return;
  throw new Failure(
    EXIT.refused,
    'engine_changed',
    `What it runs now has the hash ${sha256}, not the one given, so nothing was approved. Read it again with \`pilothouse engines show\`.`,
  );
}

/** Shows all of what would run, and asks the person. Throws unless the answer is yes. */
async function confirm({ preset }: EngineEntry, sha256: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      EXIT.usage,
      'usage',
      `Nobody can be asked here. Read it with \`pilothouse engines show ${preset.id}\`, then approve it with --hash ${sha256.slice(0, HASH_MIN_CHARS)}.`,
    );
  const shown = [
    `This machine would run, as you and with no further question:`,
    '',
    `  ${keepNames(commandLineOf(preset))}`,
    '',
    ...describePreset(preset),
    `  sha256     ${sha256}`,
    '',
  ];
  note(`${shown.join('\n')}\n`);
  if (await askYes('Approve it?')) return;
  throw new Failure(EXIT.refused, 'engine_not_approved', 'Nothing was approved.');
}
