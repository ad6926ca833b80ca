import type { Command } from 'commander';
import type { EngineEntry } from '../../../protocol/engines.ts';
import { commandLineOf } from '../../../protocol/preset.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { approvedHere, describeOrigin } from './words.ts';

/** `pilothouse engines list`. */
export function addListEngines(engines: Command): void {
  withConnection(engines.command('list'))
    .description('list engines: those that come with Pilothouse, then your own')
    .action(async (options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const entries = await api.listEngines();
      const items = entries.map((entry) => ({ ...entry, approvedHere: approvedHere(entry) }));
      print(options.json, { items }, () => describe(items));
    });
}

function describe(items: readonly (EngineEntry & { approvedHere: boolean })[]): string {
  const table = formatTable(
    ['ENGINE', 'COMMAND', 'SPEND', 'FROM', 'ON THIS MACHINE'],
    items.map((entry) => [
      entry.preset.id,
      oneLine(commandLineOf(entry.preset), 40),
      entry.capabilities.usage === 'none' ? 'unmetered' : entry.capabilities.usage,
      describeOrigin(entry),
      entry.verified ? 'may run' : entry.approvedHere ? 'approved' : 'not approved',
    ]),
  );
  return `${table}\n\nWhether each is installed: \`pilothouse runner doctor\`, or the page Machines.`;
}
