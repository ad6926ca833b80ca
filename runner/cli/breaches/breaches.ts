import type { Command } from 'commander';
import { overrideReason, REASON_MAX_CHARS } from '../../../protocol/breach.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { parseCount, parseReason, withConnection } from '../options.ts';
import { paintFor, print } from '../output.ts';
import { findInstance } from '../operators/find.ts';
import { findSession } from '../sessions/find.ts';
import type { Api } from '../api.ts';
import { describeBreaches } from './words.ts';

type ListOptions = ConnectionOptions & {
  session?: string;
  instance?: string;
  open?: true;
  limit: number;
};

/** `pilothouse breaches`: what sessions and operators did that the policy forbids, and a person's word for it. */
export function addBreaches(program: Command): void {
  const breaches = withConnection(program.command('breaches'))
    .description('show what sessions and operators did that the policy forbids, and how to undo it')
    .option('--session <session>', 'of one session alone')
    .option('--instance <instance>', 'of one operator in use alone')
    .option('--open', 'those alone that nobody has answered for')
    .option('--limit <count>', 'how many', parseCount, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse breaches --open\n  pilothouse breaches override ses_01k… act_01k… --reason "reverted by hand"',
    )
    .action(async (options: ListOptions) => {
      const { api } = connect(options, process.env);
      const page = await api.listBreaches({
        sessionId: await doerOf(api, options),
        open: options.open === true,
        limit: options.limit,
      });
      print(options.json, page, () =>
        describeBreaches(page.items, Date.now(), paintFor(process.stdout)),
      );
    });
  withConnection(breaches.command('override'))
    .description(
      'answer for a breach, so that its session or operator may go on; who and why is on record',
    )
    .argument('<doer>', 'id of a session or a part of it, or the whole id of an operator in use')
    .argument('<act>', 'id of the act, as the list shows it')
    .requiredOption('--reason <text>', 'why it may go on', parseReason)
    .action(runOverride);
}

/** Whose breaches are asked for; nobody's in particular where neither is named. */
async function doerOf(api: Api, { session, instance }: ListOptions): Promise<string | undefined> {
  if (instance !== undefined) return (await findInstance(api, instance)).instance.id;
  return session === undefined ? undefined : (await findSession(api, session)).sessionId;
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
  const instance = text.startsWith('ins_');
  const doer = instance ? text : (await findSession(api, text)).sessionId;
  await api.overrideBreach(doer, actId, reason.data);
  const [goesOn, option] = instance
    ? ['may write again', '--instance']
    : ['takes instructions again', '--session'];
  print(
    options.json,
    { sessionId: doer, actId, accepted: true },
    () =>
      `Noted. When no other breach of it is open, ${doer} ${goesOn}: \`pilothouse breaches ${option} ${doer} --open\` shows them.`,
  );
}
