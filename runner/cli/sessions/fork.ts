import { type Command, InvalidArgumentError } from 'commander';
import { turnId } from '../../../protocol/ids.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { carryOut, chooseRunner } from '../launch.ts';
import { withForkedTerms } from '../launch-terms.ts';
import { withConnection } from '../options.ts';
import { pilotOf } from '../pilot/launch-options.ts';
import { findSession } from './find.ts';
import { type ForkTermsSaid, forkRequestOf } from './fork-request.ts';

type ForkOptions = ConnectionOptions & ForkTermsSaid;

const HELP = `
The fork is a session of its own, on the same machine, in a checkout of its own with the files as
they were after that turn. Its engine goes on in a copy of the conversation where it can, and is told
the record where it cannot. Its terms are those of the session, with what you say here instead; its
budget is its own. The session itself goes on as it was. The word none takes a budget, a limit or a
model away; default takes the grade or the network that its machine says.

Examples:
  pilothouse sessions fork ses_01k… "Try it with a queue instead"
  pilothouse sessions fork ses_01k… --turn 3 --budget 2 "Do it without the new dependency"`;

/** `pilothouse sessions fork`: another session that begins where one was. */
export function addFork(sessions: Command): void {
  const command = withConnection(sessions.command('fork'))
    .description('launch another session that begins where this one is, or was after a turn')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('<objective>', 'what to do from there, in your words')
    .option('--turn <turn>', 'its number, or its id (default: as the session is now)', parseTurn)
    .option('--engine <engine>', 'another engine, which is told what was done')
    .addHelpText('after', HELP);
  withForkedTerms(command).action(runFork);
}

async function runFork(text: string, objective: string, options: ForkOptions): Promise<void> {
  const connection = connect(options, process.env);
  const { sessionId } = await findSession(connection.api, text);
  const detail = await connection.api.readSession(sessionId);
  const runner = chooseRunner(await connection.api.listRunners(), detail.summary.runnerId, null);
  const pilot = await pilotOf(options, () => connection.api.listBrainKeys());
  const request = { ...forkRequestOf(detail, runner, objective, options), pilot };
  const along =
    request.engineId === detail.view.launch.engineId
      ? `A fork of ${sessionId}: its page says whether its engine remembers that conversation.`
      : `A fork of ${sessionId}: briefed, not resumed, because that was another engine’s conversation.`;
  await carryOut(connection, { request, runner, along }, options);
}

function parseTurn(text: string): string {
  if (/^[1-9]\d{0,5}$/.test(text) || turnId.safeParse(text).success) return text;
  throw new InvalidArgumentError('Give the number of a turn, or its id.');
}
