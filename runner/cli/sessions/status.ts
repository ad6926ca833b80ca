import type { Command } from 'commander';
import { EXIT } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { note, paintFor, print, QuietFailure } from '../output.ts';
import { awaitStanding, STANDING_EXIT } from '../reports/wait.ts';
import { describeStatus } from '../reports/words.ts';
import { findSession } from './find.ts';

const HELP = `
The agent's last words are a claim. What was seen stands beside it: acts with their witnesses and
outcome, changed files, spend by provenance. Nothing is called done while its acts are not known.

Exit codes: 0 done, 1 failed or halted, 5 waits for a person, 6 still at work,
7 ended, but what it did is not known whole.

Examples:
  pilothouse sessions status ses_01k… --wait && git merge pilothouse/fix
  pilothouse sessions status ses_01k… --json | jq -r '.witnessed.acts[].kind'`;

/** `pilothouse sessions status`: the answer for one who delegates. */
export function addStatus(sessions: Command): void {
  withConnection(sessions.command('status'))
    .description('say how it stands: what the agent claims, what was seen, what waits for you')
    .argument('<session>', 'id of a session, or a part of it')
    .option('--wait', 'wait until it is over or needs a person')
    .addHelpText('after', HELP)
    .action(async (text: string, options: ConnectionOptions & { wait?: true }) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const read = () => api.readRunStatus(sessionId);
      const status = options.wait ? await awaitStanding(read, note) : await read();
      print(options.json, status, () => describeStatus(status, paintFor(process.stdout)));
      const exitCode = STANDING_EXIT[status.standing];
      if (exitCode !== EXIT.ok) throw new QuietFailure(exitCode, status.standing, status.reason);
    });
}
