import { type Finding, found, undecided } from '../finding.ts';
import { selectionOf } from '../tree/globs.ts';
import { type RuleContext, type RuleOutcome, examinedAll, skipped } from './context.ts';
import { type Ended, runCommand } from './run-command.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'commands';

/**
 * A command that must exit 0, run at the root. It is the record in the work tree that says what
 * runs: whoever may write records may run programs wherever the check runs.
 */
export async function checkCommand(
  rule: RuleOf<'command'>,
  context: RuleContext,
): Promise<RuleOutcome> {
  const { change, record } = context;
  if (change && rule.paths) {
    const chosen = selectionOf(rule.paths, []);
    if (![...change.paths].some((path) => chosen(path) || path === record.path)) {
      return skipped(UNIT, 'None of its files changed.');
    }
  }
  if (!context.commands) return skipped(UNIT, 'Commands were not to be run (--no-commands).');
  const [program = 'sh', ...args] = rule.run ?? ['sh', '-c', rule.shell ?? ''];
  const limits = { cwd: context.tree.root, timeoutMs: rule.timeoutSeconds * 1_000 };
  const ended = await runCommand([program, ...args], limits);
  return examinedAll(1, UNIT, judge(rule, ended));
}

function judge(rule: RuleOf<'command'>, ended: Ended): Finding[] {
  const shown = rule.shell ?? rule.run?.join(' ') ?? '';
  if (ended.failure !== null) {
    return [
      undecided(
        null,
        `\`${shown}\` could not be started (${ended.failure}), so nothing is known. Install it, or correct the rule.`,
      ),
    ];
  }
  if (ended.timedOut) {
    return [
      undecided(
        null,
        `\`${shown}\` had not ended after ${rule.timeoutSeconds} s and was stopped, so nothing is known. Make it faster or raise \`timeoutSeconds\`.`,
        ended.output,
      ),
    ];
  }
  if (ended.code === 0) return [];
  return [
    found(
      null,
      `\`${shown}\` ended with ${ended.code ?? 'a signal'}. ${rule.reason}`,
      ended.output,
    ),
  ];
}
