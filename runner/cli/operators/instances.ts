import { type Command, Option } from 'commander';
import type { InstanceChange, InstanceDetail } from '../../../protocol/operator-http.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { oneLine } from '../format.ts';
import { parseCount, parseDollars, withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findInstance } from './find.ts';
import {
  type ConsentOptions,
  consentsOf,
  type LimitOptions,
  narrowingOf,
  withConsents,
  withLimits,
} from './limits.ts';
import { type BindOptions, boundOf, brainOf } from './make.ts';
import { describeInstance, describeInstances } from './words.ts';

/** `pilothouse operators instances`, and what changes one. */
export function addInstances(operators: Command): void {
  withConnection(operators.command('instances'))
    .description('list the instances of operators, newest first')
    .action(async (options: ConnectionOptions) => {
      const { items, unreadable } = await connect(options, process.env).api.listInstances();
      print(options.json, { items, unreadable }, () =>
        [
          describeInstances(items),
          ...unreadable.map(({ instanceId, reason }) => `${instanceId}: ${oneLine(reason, 300)}`),
        ].join('\n'),
      );
    });
  change(operators, 'bind', 'say in which terminal an instance works, or in none')
    .option('--target <id>', 'id of the terminal')
    .option('--label <label>', 'what you call it')
    .option('--none', 'take its terminal away')
    .action(runBind);
  withConsents(change(operators, 'consent', 'say what an instance may do unasked')).action(
    (text: string, options: ConnectionOptions & ConsentOptions) =>
      run(text, options, () => {
        const consents = consentsOf(options);
        if (Object.keys(consents).length > 0) return { change: 'consent', consents };
        throw usage('Say what you agree to, such as --send always or --kill never.');
      }),
  );
  withLimits(
    change(operators, 'narrow', 'make what an instance may do smaller; alone, undo that'),
  ).action((text: string, options: ConnectionOptions & LimitOptions) =>
    run(text, options, ({ definition }) => {
      return { change: 'narrow', narrowing: narrowingOf(options, definition.ceiling) };
    }),
  );
  change(operators, 'agree', 'agree to a version of its operator that allows more')
    .addOption(
      new Option('--to <version>', 'the version that you were shown').argParser(parseCount),
    )
    .action(runAgree);
  change(operators, 'budget', 'say what its own agent may spend in all, or without limit')
    .addOption(new Option('--usd <usd>', 'US dollars').argParser(parseDollars))
    .option('--none', 'no limit')
    .action(
      (text: string, { usd, ...options }: ConnectionOptions & { usd?: number; none?: true }) =>
        run(text, options, () => {
          if ((usd === undefined) === (options.none === undefined))
            throw usage('Give either --usd or --none.');
          return { change: 'budget', budgetMicroUsd: usd ?? null };
        }),
    );
  change(operators, 'brain', 'say which model thinks for its own agent, or none')
    .option('--brain-key <key>', 'key of a model API: id or name')
    .option('--model <model>', 'the model')
    .option('--none', 'no agent of its own, only MCP clients')
    .action(runBrain);
  for (const [name, about] of PLAIN)
    change(operators, name, about).action((text: string, options: ConnectionOptions) =>
      run(text, options, () => ({ change: name })),
    );
}

const PLAIN = [
  ['pause', 'refuse every call of an instance until it is resumed'],
  ['resume', 'let a paused instance go on'],
  ['remove', 'remove an instance for good; its record stays'],
] as const;

const change = (operators: Command, name: string, about: string): Command =>
  withConnection(operators.command(name))
    .description(about)
    .argument('<instance>', 'id or name of the instance');

type Decide = (detail: InstanceDetail) => InstanceChange | Promise<InstanceChange>;

async function run(text: string, options: ConnectionOptions, decide: Decide): Promise<void> {
  const { api } = connect(options, process.env);
  const found = await findInstance(api, text);
  const detail = await api.changeInstance(found.instance.id, await decide(found));
  print(options.json, detail, () => describeInstance(detail));
}

async function runBind(
  text: string,
  options: ConnectionOptions & BindOptions & { none?: true },
): Promise<void> {
  if ((options.target === undefined) === (options.none === undefined))
    throw usage(
      'Give either --target with the id of a terminal, which `pilothouse operators terminals` lists, or --none.',
    );
  const boundTarget = boundOf(options);
  await run(text, options, () => ({ change: 'bind', boundTarget }));
}

async function runAgree(text: string, options: ConnectionOptions & { to?: number }): Promise<void> {
  const { to: version } = options;
  if (version !== undefined) return run(text, options, () => ({ change: 'agree', version }));
  const detail = await findInstance(connect(options, process.env).api, text);
  print(options.json, { offered: detail.offered }, () =>
    detail.offered ? describeInstance(detail) : 'Nothing waits for your agreement.',
  );
}

async function runBrain(
  text: string,
  options: ConnectionOptions & { brainKey?: string; model?: string; none?: true },
): Promise<void> {
  const { api } = connect(options, process.env);
  await run(text, options, async ({ definition }) => {
    const brain = await brainOf(options, definition.brain?.model, () => api.listBrainKeys());
    if ((brain === null) === (options.none === undefined))
      throw usage('Give either --brain-key with --model, or --none.');
    return { change: 'brain', brain };
  });
}

const usage = (sentence: string): Failure => new Failure(EXIT.usage, 'usage', sentence);
