import type { Command } from 'commander';
import { connect, type ConnectionOptions } from './connect.ts';
import { withConnection } from './options.ts';
import { print } from './output.ts';

/** `pilothouse link`: a new way in for a browser. */
export function addLink(program: Command): void {
  withConnection(program.command('link'))
    .description('print a new sign-in link; it works once')
    .addHelpText('after', '\nExample:\n  pilothouse link --json | jq -r .url')
    .action(async (options: ConnectionOptions) => {
      const { api, url } = connect(options, process.env);
      const { path, expiresAt } = await api.createLink();
      const link = new URL(path, url).href;
      print(options.json, { url: link, expiresAt }, () => link);
    });
}
