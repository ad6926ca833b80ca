import { type Command, Option } from 'commander';
import type { BrainKey } from '../../../protocol/brain-keys.ts';
import { DEFAULT_CONSENTS } from '../../../protocol/operator.ts';
import { terminalTarget } from '../../../protocol/terminal.ts';
import { EXIT, Failure } from '../../failure.ts';
import { findBrainKey } from '../brain-keys/find.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { oneLine } from '../format.ts';
import { chooseRunner } from '../launch.ts';
import { parseDollars, withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findOperator } from './find.ts';
import {
  type ConsentOptions,
  consentsOf,
  type LimitOptions,
  narrowingOf,
  withConsents,
  withLimits,
} from './limits.ts';
import { describeInstance } from './words.ts';

export type BindOptions = { target?: string; label?: string };
type MakeOptions = ConnectionOptions &
  LimitOptions &
  ConsentOptions &
  BindOptions & {
    name?: string;
    runner?: string;
    budget?: number;
    brainKey?: string;
    model?: string;
  };

const ABOUT = `
Making it agrees to what the operator may do at most; \`pilothouse operators show\` says what that is.
Unless you say otherwise it reads, asks before it types or runs a command, and closes nothing.

Examples:
  pilothouse operators make opr_tmux --name "build watcher"
  pilothouse operators make opr_tmux --target tmux:default:812.1700000000:%3 --label build --send always
  pilothouse operators make opr_kitty --only-tool terminal_capture`;

/** `pilothouse operators make`: an instance on a machine, with limits and consents. */
export function addMake(operators: Command): void {
  const make = withConnection(operators.command('make'))
    .description('make an instance of an operator on a machine')
    .argument('<operator>', 'id or name')
    .option('--name <name>', 'what you call it (default: the operator’s name)')
    .option('--runner <runner>', 'machine to work on: its id or name (default: this one)')
    .option('--target <id>', 'the one terminal it works in, as `operators terminals` names it')
    .option('--label <label>', 'what you call that terminal');
  withConsents(withLimits(make))
    .addOption(
      new Option('--budget <usd>', 'what its own agent may spend in all').argParser(parseDollars),
    )
    .option('--brain-key <key>', 'key of a model API for its own agent: id or name')
    .option('--model <model>', 'model of its own agent')
    .addHelpText('after', ABOUT)
    .action(runMake);
}

async function runMake(text: string, options: MakeOptions): Promise<void> {
  const { api, localRunnerId } = connect(options, process.env);
  const { definition } = await findOperator(api, text);
  const runner = chooseRunner(await api.listRunners(), options.runner, localRunnerId);
  const detail = await api.makeInstance({
    operatorId: definition.id,
    runnerId: runner.runnerId,
    agreedVersion: definition.version,
    name: options.name ?? definition.name,
    narrowing: narrowingOf(options, definition.ceiling),
    boundTarget: boundOf(options),
    consents: { ...DEFAULT_CONSENTS, ...consentsOf(options) },
    brain: await brainOf(options, definition.brain?.model, () => api.listBrainKeys()),
    budgetMicroUsd: options.budget ?? null,
  });
  print(options.json, detail, () => describeInstance(detail));
}

/** The terminal that was named, under the name that a person gives it. Throws for no such id. */
export function boundOf({ target, label }: BindOptions) {
  if (target === undefined) return null;
  const parsed = terminalTarget.safeParse(target);
  if (parsed.success) return { target: parsed.data, label: label ?? target };
  const sentence = `${oneLine(target, 60)} is no id of a terminal. \`pilothouse operators terminals\` lists them.`;
  throw new Failure(EXIT.usage, 'usage', sentence);
}

/** Whose model thinks for it; null where no key was named. */
export async function brainOf(
  { brainKey, model }: { brainKey?: string; model?: string },
  usual: string | undefined,
  listKeys: () => Promise<readonly BrainKey[]>,
) {
  if (brainKey === undefined && model === undefined) return null;
  const { keyId } = findBrainKey(await listKeys(), brainKey);
  const named = model ?? usual;
  if (named !== undefined) return { keyId, model: named };
  throw new Failure(EXIT.usage, 'usage', 'Say which model with --model.');
}
