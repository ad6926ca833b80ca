import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT, Failure } from '../../failure.ts';
import { dataDirectoryOf, layoutOf } from '../../host/layout.ts';
import { readMachineLimits } from '../../limits.ts';
import { readProcess } from '../../process/process-table.ts';
import { terminalSocketOf } from '../../terminal-socket.ts';
import { print, QuietFailure } from '../output.ts';
import { asTyped, decideCommand, type Named, parseNamed, type Places, tmuxArgv } from './decide.ts';

const HELP = `
TERMINAL is an id from the list on the page Machines, or the name of a tmux session that was made
here for an operator. Of a coding session it is \`pilothouse takeover\`: its engine has no terminal
before somebody opens it.

Works on the machine that the terminal is on, and asks no server. From inside of tmux the client
that you are in is led there. Detach from tmux as always (prefix d).

Examples:
  pilothouse attach agent-build
  pilothouse attach 'tmux:default:4711.1764496000:%3'
  $(pilothouse attach agent-build --print)`;

type AttachOptions = { data?: string; json?: true; print?: true };

/** `pilothouse attach`: the local command that shows a terminal, run or printed. */
export function addAttach(program: Command): void {
  program
    .command('attach')
    .description('show a terminal of this machine in this one, or print the command that does')
    .argument('<terminal>', 'id of a terminal, name of a tmux session of ours, or id of a session')
    .option('--print', 'print the command and run nothing')
    .option('--data <directory>', 'data directory of the runner whose sessions are meant')
    .option('--json', 'print the command as JSON and run nothing')
    .addHelpText('after', HELP)
    .action(async (text: string, options: AttachOptions) => {
      const argv = findCommand(text, options.data, process.env);
      if (options.json || options.print)
        return print(options.json, { argv, command: asTyped(argv) }, () => asTyped(argv));
      const [file] = argv;
      if (file === 'pilothouse') return run([process.execPath, ...ownProgram(), ...argv.slice(1)]);
      return run(argv);
    });
}

const ownProgram = (): string[] => process.argv.slice(1, 2);

/** Throws a `Failure` that says what to do instead where no command shows it here. */
function findCommand(text: string, data: string | undefined, env: NodeJS.ProcessEnv) {
  const named = parseNamed(text);
  if (!named)
    throw new Failure(
      EXIT.usage,
      'bad_target',
      'This names no terminal. Give an id from the list on the page Machines, in quotes, or the name of a tmux session that was made for an operator.',
    );
  const root = join(layoutOf(dataDirectoryOf(data, env)).runner, 'terminal');
  const places: Places = {
    socket: terminalSocketOf(root),
    inside: env['TMUX']?.split(',')[0] || null,
    kitty: named.kind === 'kitty' ? kittySocket(env) : null,
  };
  const argv = decideCommand(named, places, demandHere(named, places));
  if (argv) return argv;
  throw new Failure(
    EXIT.refused,
    'terminal_unsupported',
    named.kind === 'kitty'
      ? 'No socket of kitty is known here. Set `kitty_socket` under [terminal] in limits.toml, or look for its window yourself.'
      : 'No command brings an iTerm2 session to the front. Look for it in iTerm2, on the Mac that it is on.',
  );
}

/** Makes sure that the terminal is on this machine; answers the socket of its tmux server. */
function demandHere(named: Named, places: Places): string | null {
  if (named.kind === 'kitty' && readProcess(named.pid) === null) throw elsewhere();
  if (named.kind !== 'tmux') return null;
  const format = '#{socket_path} #{pid}.#{start_time} #{pane_id}';
  const [file, ...before] = tmuxArgv(named.server, places);
  const words = [...before, 'display-message', '-p', '-t', named.id, format];
  const { stdout, error } = spawnSync(file, words, { encoding: 'utf8', timeout: 5_000 });
  if (error && 'code' in error && error.code === 'ENOENT')
    throw new Failure(EXIT.refused, 'terminal_unavailable', 'tmux is not installed here.');
  const [socket = '', born, pane] = (stdout ?? '').trim().split(' ');
  // For a target that is not there tmux says nothing, or answers for another one.
  const other = named.id.startsWith('%') && pane !== named.id;
  if (!pane || other || (named.born !== null && named.born !== born)) throw elsewhere();
  return socket;
}

const elsewhere = (): Failure =>
  new Failure(
    EXIT.refused,
    'terminal_not_here',
    'No terminal of this machine has this name or id: it is gone, or on another machine. Run this there, or open it in the console from the page Machines, which needs no way in.',
  );

function kittySocket(env: NodeJS.ProcessEnv): string | null {
  const listens = env['KITTY_LISTEN_ON'];
  return (
    readMachineLimits(env).terminal.kittySocket ??
    (listens?.startsWith('unix:/') ? listens.slice('unix:'.length) : null)
  );
}

/** Gives this terminal to a command until it ends, and ends as it does. */
async function run([file = '', ...words]: readonly string[]): Promise<void> {
  const { TMUX: _within, ...env } = process.env;
  const kept = words.includes('switch-client') ? process.env : env;
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(file, words, { stdio: 'inherit', env: kept });
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  if (code !== 0)
    throw new QuietFailure(EXIT.failed, 'attach_failed', `${file} ended with ${code}.`);
}
