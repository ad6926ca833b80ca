import { type Command, Option } from 'commander';
import { LANDINGS, type Landed, type Landing } from '../../../protocol/land.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { oneLine, plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';

type LandOptions = ConnectionOptions & {
  message: string;
  as: Landing;
  base?: string;
  tree?: string;
};

const HELP = `
Everything that \`pilothouse sessions diff\` shows: what is in no commit is committed first. A push
and a pull request go by the session's merge policy, through its gate. Asking again goes on from
where it was. With --tree (from diff --json) nothing else is landed than what you looked at.

Examples:
  pilothouse sessions land ses_01k… -m "Trim the sails"
  pilothouse sessions land ses_01k… -m "Trim the sails" --as push
  pilothouse sessions land ses_01k… -m "Trim the sails" --as pull_request --base main`;

/** `pilothouse sessions land`: takes a session's work further. */
export function addLand(sessions: Command): void {
  withConnection(sessions.command('land'))
    .description('commit what a session changed, push it, or open a pull request')
    .argument('<session>', 'id of a session, or a part of it')
    .requiredOption('-m, --message <text>', 'of the commit; its first line is the title')
    .addOption(new Option('--as <how>', 'how far it goes').choices([...LANDINGS]).default('commit'))
    .option('--base <branch>', 'where a pull request goes (default: the remote’s default branch)')
    .option('--tree <id>', 'land these files and no others')
    .addHelpText('after', HELP)
    .action(async (text: string, { message, as, base, tree, ...options }: LandOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const reviewed = tree ?? (await api.readChanges(sessionId)).tree;
      const result = await api.land(sessionId, {
        tree: reviewed,
        how: as,
        message,
        base: base ?? null,
      });
      print(options.json, result, () => describeLanded(result));
    });
}

function describeLanded({ branch, commit, committed, pushed, pullRequest }: Landed): string {
  const made = committed ? 'Committed' : 'Everything was committed already:';
  return [
    `${made} ${commit.slice(0, 12)} on ${oneLine(branch, 120)}, in your repository too.`,
    ...(pushed ? ['Pushed.'] : []),
    ...(pullRequest === null ? [] : [`The pull request: ${plainText(pullRequest)}`]),
  ].join('\n');
}
