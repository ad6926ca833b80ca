import { type Command, InvalidArgumentError } from 'commander';
import type { PreviewList } from '../../../protocol/preview.ts';
import { EXIT, Failure } from '../../failure.ts';
import { nameHere } from '../command-name.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable, plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';

const HELP = `
Without a port it opens the only server that the session runs, or lists them. The address works in a
browser on the session's machine alone, for as long as it is used; whoever has it sees the server.
What the session serves is its own work, and not to be trusted: give it no password.

Examples:
  pilothouse sessions preview ses_01k…
  pilothouse sessions preview ses_01k… 5173`;

/** `pilothouse sessions preview`: what a session serves, in a browser on its machine. */
export function addPreview(sessions: Command): void {
  withConnection(sessions.command('preview'))
    .description('open a server that a session runs, such as its dev server')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('[port]', 'the port that it listens on', parsePort)
    .addHelpText('after', HELP)
    .action(async (text: string, asked: number | undefined, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const list = asked === undefined ? await api.listPreviews(sessionId) : null;
      const only = list?.items.length === 1 ? list.items[0]?.port : undefined;
      const port = asked ?? only;
      if (port === undefined)
        return print(options.json, list, () => describePorts(list ?? { items: [] }, sessionId));
      const opened = await api.openPreview(sessionId, { port });
      print(options.json, opened, () => opened.url);
    });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('Give a port, from 1 to 65535.');
}

function describePorts({ items }: PreviewList, sessionId: string): string {
  if (items.length === 0)
    throw new Failure(
      EXIT.refused,
      'preview_port_gone',
      'No process of this session listens on a port. Tell it to start its server, in the background.',
    );
  const rows = items.map(({ port, program, ownNetwork }) => [
    String(port),
    plainText(program),
    ownNetwork ? 'its own' : 'the machine’s',
  ]);
  const hint = nameHere(`pilothouse sessions preview ${sessionId} ${items[0]?.port ?? 'PORT'}`);
  return `${formatTable(['PORT', 'PROGRAM', 'NETWORK'], rows)}\nOpen one: ${hint}`;
}
