import type { Command } from 'commander';
import { awaitTurn } from '../await-turn.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';
import { sendImages } from './send-image.ts';

/** `pilothouse sessions say`: the next instruction. */
export function addSay(sessions: Command): void {
  withConnection(sessions.command('say'))
    .description('send a session its next instruction')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('<text>', 'the instruction; it waits while the session is busy')
    .option('--steer', 'put it into the turn under way, where the engine takes that')
    .option('--image <file...>', 'show it these images with the instruction: PNG, JPEG, GIF, WebP')
    .option('--wait', 'show the work until this turn ends')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse sessions say ses_01k… --wait "Now write the test"',
    )
    .action(
      async (
        session: string,
        text: string,
        options: ConnectionOptions & { wait?: true; steer?: true; image?: string[] },
      ) => {
        const connection = connect(options, process.env);
        const { sessionId } = await findSession(connection.api, session);
        const { api } = connection;
        const images = await sendImages(api, sessionId, options.image);
        const { turnId } = await api.instruct(sessionId, text, options.steer ?? false, images);
        if (options.wait)
          return awaitTurn(connection, { sessionId, turnId }, options.json ?? false);
        print(options.json, { sessionId, turnId }, () => `Accepted as ${turnId}.`);
      },
    );
}
