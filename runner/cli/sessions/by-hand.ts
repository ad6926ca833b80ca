import type { Command } from 'commander';
import {
  BY_HAND_ADVICE,
  byHandCommand,
  byHandWords,
  SEALED_BY_HAND,
  type StartedProcess,
} from '../../../protocol/by-hand.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';

/** `pilothouse sessions by-hand`: a session's own command, for a person's terminal. */
export function addByHand(sessions: Command): void {
  withConnection(sessions.command('by-hand'))
    .description('print the command of a session, to open it in your own terminal')
    .argument('<session>', 'id of a session, or a part of it')
    .addHelpText('after', `\n${BY_HAND_ADVICE}\n\nExample:\n  pilothouse sessions by-hand ses_01k…`)
    .action(async (text: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const { launches, session } = await api.readPack(sessionId);
      const started = launches.findLast((launch) => launch.process !== null)?.process;
      if (!started)
        throw new Failure(
          EXIT.refused,
          'nothing_started',
          `No process was started for it yet. See \`pilothouse sessions show ${sessionId}\`.`,
        );
      const { directory, environment } = started;
      const command = byHandCommand(started, session.engine);
      const argv = byHandWords(started, session.engine);
      print(options.json, { sessionId, command, argv, directory, environment }, () =>
        describeByHand(started, session),
      );
    });
}

/** The command on a line of its own, and what to know before it is run. */
export function describeByHand(
  started: StartedProcess,
  { checkout, engine }: Pick<SessionView, 'checkout' | 'engine'>,
): string {
  const grade = checkout?.grade ?? null;
  return [
    byHandCommand(started, engine),
    '',
    BY_HAND_ADVICE,
    ...(grade !== null && grade.grade !== 'open'
      ? [
          `By hand it is not ${grade.grade}: it has your power, your files, your keys and logins, and pushes that no gate judges.`,
        ]
      : []),
    ...(grade?.grade === 'sealed' ? [SEALED_BY_HAND] : []),
    ...(started.environment.length > 0
      ? [`Its environment, by name: ${started.environment.join(' ')}`]
      : []),
  ].join('\n');
}
