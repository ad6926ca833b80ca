import type { Command } from 'commander';
import { overrideReason, REASON_MAX_CHARS } from '../../../protocol/breach.ts';
import { EXIT, Failure } from '../../failure.ts';
import { nameHere } from '../command-name.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { parseCount, parseReason, withConnection } from '../options.ts';
import { paintFor, print } from '../output.ts';
import { findSession } from '../sessions/find.ts';
import { describeBreaches } from './words.ts';

type ListOptions = ConnectionOptions & { session?: string; open?: true; limit: number };

/** `pilothouse breaches`: what sessions did that their policy forbids, and a person's word for it. */
export function addBreaches(program: Command): void {
  const breaches = withConnection(program.command('breaches'))
    .description('show what sessions did that their policy forbids, and how to undo it')
    .option('--session <session>', 'of one session alone')
    .option('--open', 'those alone that nobody has answered for')
    .option('--limit <count>', 'how many', parseCount, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse breaches --open\n  pilothouse breaches override ses_01k… act_01k… --reason "reverted by hand"',
    )
    .action(async (options: ListOptions) => {
      const { api } = connect(options, process.env);
      const session =
        options.session === undefined ? null : await findSession(api, options.session);
      const page = await api.listBreaches({
        sessionId: session?.sessionId,
        open: options.open === true,
        limit: options.limit,
      });
      print(options.json, page, () =>
        nameHere(describeBreaches(page.items, Date.now(), paintFor(process.stdout))),
      );
    });
  withConnection(breaches.command('override'))
    .description('answer for a breach, so that its session may go on; who and why is on record')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('<act>', 'id of the act, as the list shows it')
    .requiredOption('--reason <text>', 'why it may go on', parseReason)
    .action(runOverride);
}

async function runOverride(
  text: string,
  actId: string,
  own: ConnectionOptions & { reason: string },
  command: Command,
): Promise<void> {
  // The list above has the same options, and takes what is given anywhere.
  const options = { ...own, ...command.optsWithGlobals<typeof own>() };
  const reason = overrideReason.safeParse(options.reason);
  if (!reason.success)
    throw new Failure(
      EXIT.usage,
      'usage',
      `Give a reason of 3 to ${REASON_MAX_CHARS} characters with --reason: it stays on record with your name.`,
    );
  const { api } = connect(options, process.env);
  const { sessionId } = await findSession(api, text);
  await api.overrideBreach(sessionId, actId, reason.data);
  print(options.json, { sessionId, actId, accepted: true }, () =>
    nameHere(
      `Noted. When no other breach of it is open, ${sessionId} takes instructions again: \`pilothouse breaches --session ${sessionId} --open\` shows them.`,
    ),
  );
}
