import type { Command } from 'commander';
import { ERRORS } from '../../../protocol/errors.ts';
import type { LaunchSpec } from '../../../protocol/launch.ts';
import { hasKeys, type MachineFacts } from '../../../protocol/machine.ts';
import { fitSize } from '../../../protocol/takeover.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type Connection, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { findSession } from '../sessions/find.ts';
import { driveTerminal, type WindowEnd } from './window.ts';
import { say, note } from '../output.ts';

const HELP = `
Every key reaches the engine. Ctrl-] hands the session back; so does leaving the engine itself.
However it ends, this terminal is as it was before, below what the engine left to read. A window
that is killed, closed or loses its connection leaves the engine's terminal open: --force goes on.

Exit codes: 0 handed back, 2 no terminal, 3 connection lost, 4 refused or taken by somebody else,
129, 130 or 143 ended by a signal.

Examples:
  pilothouse takeover ses_01k…
  pilothouse takeover 7x2m --force     take it from whoever drives
  pilothouse takeover 7x2m --release   hand back what a lost window still holds`;

type TakeoverOptions = ConnectionOptions & { force?: true; release?: true };

/** `pilothouse takeover`: drive a session by hand, in the engine's own terminal. */
export function addTakeover(program: Command): void {
  withConnection(program.command('takeover'))
    .description('drive a session by hand, in the engine’s own terminal')
    .argument('<session>', 'id of a session, or a part of it')
    .option('--force', 'take it from whoever drives by hand')
    .option('--release', 'hand it back without driving, whoever holds it')
    .addHelpText('after', HELP)
    .action(async (text: string, options: TakeoverOptions) => {
      const connection = connect(options, process.env);
      const { sessionId } = await findSession(connection.api, text);
      if (options.release) {
        await connection.api.release(sessionId, { key: null, force: true });
        say(`Handed ${sessionId} back.\n`);
        return;
      }
      await drive(connection, sessionId, options.force ?? false);
    });
}

async function drive({ api, url, token }: Connection, sessionId: string, force: boolean) {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY)
    throw new Failure(
      EXIT.usage,
      'no_terminal',
      'This is not a terminal, so there are no keys to send. Run it in one, or use `pilothouse sessions say`.',
    );
  const problem = await findObstacle(api, sessionId);
  if (problem) throw new Failure(EXIT.refused, problem, ERRORS[problem].sentence);
  const { columns, rows } = fitSize({ columns: stdout.columns, rows: stdout.rows });
  const { key } = await api.takeOver(sessionId, { form: 'keys', columns, rows, force });
  stdout.write('Opening the engine’s terminal; Ctrl-] hands the session back …\n');
  const end = await driveTerminal({ url, token, sessionId, key }, { input: stdin, output: stdout });
  if (end.why === 'left') await api.release(sessionId, { key, force: false });
  tell(end, sessionId);
}

/** What the session's machine has said that keeps keys from it, asked before anything is ended. */
async function findObstacle(api: Connection['api'], sessionId: string) {
  const [{ summary, view }, runners] = await Promise.all([
    api.readSession(sessionId),
    api.listRunners(),
  ]);
  const machine = runners.find(({ runnerId }) => runnerId === summary.runnerId)?.machine;
  return machine ? obstacleOf(machine, view.launch) : null;
}

/** What a machine says of itself that keeps keys from an engine there; null where nothing does. */
export function obstacleOf(
  machine: Pick<MachineFacts, 'limits' | 'engines'>,
  launch: Pick<LaunchSpec, 'engineId' | 'approvals'> & Partial<Pick<LaunchSpec, 'preset'>>,
): 'takeover_not_allowed' | 'keys_unsupported' | null {
  if (machine.limits.takeover === false) return 'takeover_not_allowed';
  return hasKeys(machine, launch) === false ? 'keys_unsupported' : null;
}

const stillOpen = (sessionId: string): string =>
  `the engine’s terminal is still open. Run \`pilothouse takeover ${sessionId} --force\` to go on, or with --release to hand it back.`;

/** Ends as whoever sent the signal expects, so that a shell sees it too; the terminal is restored. */
function dieOf(signal: NodeJS.Signals, sessionId: string): void {
  process.stderr.on('error', () => undefined);
  note(`Ended by ${signal}; ${stillOpen(sessionId)}\n`);
  process.kill(process.pid, signal);
}

function tell(end: WindowEnd, sessionId: string): void {
  switch (end.why) {
    case 'left':
      return say('Handed back. The next instruction goes on with the conversation.\n');
    case 'closed':
      return say('The terminal was closed, and the session is handed back with it.\n');
    case 'demoted':
      throw new Failure(EXIT.refused, 'taken_over', 'Somebody else took the session over.');
    case 'signal':
      return dieOf(end.signal, sessionId);
    case 'lost':
      throw new Failure(
        EXIT.unreachable,
        'connection_lost',
        `The connection was lost (${end.reason}); ${stillOpen(sessionId)}`,
      );
    default:
      end satisfies never;
  }
}
