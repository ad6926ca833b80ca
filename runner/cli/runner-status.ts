import type { Command } from 'commander';
import type { RunnerSummary } from '../../protocol/http.ts';
import { connect, type ConnectionOptions } from './connect.ts';
import { formatAgo, formatTable } from './format.ts';
import { withConnection } from './options.ts';
import { print } from './output.ts';

/** `pilothouse runner status`: the machines and which engines are ready on each. */
export function addRunnerStatus(runner: Command): void {
  withConnection(runner.command('status'))
    .description('show the machines, whether they are online and what is ready there')
    .addHelpText('after', '\nExample:\n  pilothouse runner status --json')
    .action(async (options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const runners = await api.listRunners();
      print(options.json, { items: runners }, () => describeRunners(runners, Date.now()));
    });
}

function describeRunners(runners: readonly RunnerSummary[], nowMs: number): string {
  if (runners.length === 0)
    return 'No machine is registered. npm start registers this one; `pilothouse runner invite` pairs another.';
  return formatTable(
    ['MACHINE', 'NAME', 'PRESENCE', 'SEEN', 'READY'],
    runners.map((runner) => [
      runner.runnerId,
      runner.name,
      runner.revokedAt === null ? runner.presence : 'revoked',
      runner.lastSeenAt === null ? 'never' : formatAgo(runner.lastSeenAt, nowMs),
      (runner.machine?.engines ?? [])
        .flatMap((engine) => (engine.ready ? [engine.engineId] : []))
        .join(', ') || 'none',
    ]),
  );
}
