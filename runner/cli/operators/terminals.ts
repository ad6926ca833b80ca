import type { Command } from 'commander';
import type { PaneList } from '../../../protocol/panes.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable, oneLine } from '../format.ts';
import { chooseRunner } from '../launch.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

type TerminalsOptions = ConnectionOptions & { runner?: string };

/** `pilothouse operators terminals`: which there are on a machine, and the ids that name them. */
export function addTerminals(operators: Command): void {
  withConnection(operators.command('terminals'))
    .description('list the terminals of a machine, with the ids that --target takes')
    .option('--runner <runner>', 'the machine: its id or name (default: this one)')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse operators terminals\n  pilothouse operators bind build --target tmux:default:812.1700000000:%3',
    )
    .action(async (options: TerminalsOptions) => {
      const { api, localRunnerId } = connect(options, process.env);
      const runner = chooseRunner(await api.listRunners(), options.runner, localRunnerId);
      const list = await api.listPanes(runner.runnerId);
      print(options.json, list, () => describeTerminals(list));
    });
}

/** The terminals that the machine's limits open. Titles are a program's own words. */
export function describeTerminals({ panes }: PaneList): string {
  if (panes.length === 0)
    return 'Its limits open no terminal, or none is there. `pilothouse runner doctor` on the machine says which.';
  return formatTable(
    ['TERMINAL', 'SESSION', 'RUNS', 'IN', 'STATE'],
    panes.map(({ target, session, agent, program, directory, state }) => [
      target,
      oneLine(session ?? '', 30),
      oneLine(agent ? `${program} (${agent.engine})` : program, 30),
      oneLine(directory, 60),
      state.replaceAll('_', ' '),
    ]),
  );
}
