import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { TerminalParams } from '../../../protocol/terminal.ts';
import { shellOf } from '../look/front.ts';
import { LOAD_SCRIPT, type SecretPipe } from '../run/secret-pipe.ts';
import { MARKER, type PaneFacts } from './panes.ts';
import type { TmuxServer } from './server.ts';
import { asFormatText } from './words.ts';

/** Nothing of the person's own configuration: it may start programs, and rebind what is relied on. */
const CONFIGURATION = `set -g default-terminal tmux-256color
set -g history-limit 50000
set -g remain-on-exit on
set -g destroy-unattached off
set -g allow-rename off
set -s escape-time 10
`;

/** tmux loses the last words of a program whose terminal closes at once. */
const HOLD_SCRIPT = `trap : INT QUIT
"$@"
set -- "$?"
sleep 0.1
exit "$1"`;

/** Where the runner's own server listens and what it reads. */
export function ownServerArgv(root: string, socket: string): [string, ...string[]] {
  return ['tmux', '-S', socket, '-f', join(root, 'tmux.conf')];
}

type Owner = { marker: string; root: string; shell: string };

/** Makes a session and marks it as ours in the same call. Answers its id. */
export async function createSession(
  server: TmuxServer,
  params: TerminalParams<'tmux_create_session'>,
  { marker, root, shell }: Owner,
  secrets: SecretPipe | null = null,
): Promise<string> {
  const { name, size } = params;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(join(root, 'tmux.conf'), CONFIGURATION, { mode: 0o600 });
  const directory = params.directory ?? server.env['HOME'] ?? '/';
  // tmux would begin in the home directory instead, and say nothing.
  if (!existsSync(directory)) throw new PilothouseError('directory_missing', { detail: directory });
  const geometry = ['-x', String(size.columns), '-y', String(size.rows)];
  const where = ['-s', name, ...geometry, '-c', asFormatText(directory)];
  const program = programOf(params.argv, shell, secrets);
  const made = ['new-session', '-d', ...where, '-P', '-F', '#{session_id}', ...program];
  const mark = ['set-option', '-t', `=${name}:`, MARKER, marker];
  const { ok, output, problem } = await server.call([made, mark]);
  if (ok) return output.toString().trim();
  if (problem.startsWith('duplicate session'))
    throw new PilothouseError('terminal_exists', { detail: name });
  throw new PilothouseError('terminal_failed', { detail: `tmux: ${problem}` });
}

function programOf(
  argv: readonly string[] | null,
  shell: string,
  secrets: SecretPipe | null,
): string[] {
  if (!argv && !secrets) return [];
  const program = argv ?? [shell, '-l'];
  // A shell has to be the pane's own first process, for it to be seen whether it is in front.
  const held = shellOf(program[0] ?? '') === null;
  const whole = held ? ['/bin/sh', '-c', HOLD_SCRIPT, 'sh', ...program] : program;
  if (secrets) return ['--', '/bin/sh', '-c', LOAD_SCRIPT, 'sh', secrets.path, ...whole];
  // Of a single word tmux would make a command line for a shell.
  return ['--', '/bin/sh', '-c', 'exec "$@"', 'sh', ...whole];
}

/** Ends a session by its id, with everything in it. */
export async function killSession(server: TmuxServer, { sessionId }: PaneFacts): Promise<void> {
  await server.demand(['kill-session', '-t', sessionId]);
}
