import { type Command, Option } from 'commander';
import { type Grade, GRADES } from '../../protocol/grade.ts';
import { type ApprovalsMode, approvalsMode } from '../../protocol/launch.ts';
import { type Network, NETWORKS } from '../../protocol/network.ts';
import { MINUTES, TOKENS, TURNS } from './budgets/options.ts';
import { parseAnswerHours, parseCount, parseDollars, parseMinutes } from './options.ts';
import { BRAIN_OPTIONS, MODES, parseHours, type PilotOptions } from './pilot/launch-options.ts';

/** The terms of a launch, wherever its work begins. */
export type Terms = PilotOptions & {
  approvals?: ApprovalsMode;
  model?: string;
  budget?: number;
  tokens?: number;
  turns?: number;
  minutes?: number;
  silence?: number;
  answerWithin?: number;
  grade?: Grade;
  network?: Network;
  image?: string[];
  wait?: true;
};

/** How a fork is told to leave out what its session has, and to take what its machine says. */
export const NONE = 'none';
export const DEFAULT = 'default';
const CLEARED = {
  budget: NONE,
  tokens: NONE,
  turns: NONE,
  minutes: NONE,
  grade: DEFAULT,
  network: DEFAULT,
} as const;

/** The terms of a fork, each of which can be taken away. */
export type ForkedTerms = Omit<Terms, keyof typeof CLEARED> & {
  [Term in keyof typeof CLEARED]?: NonNullable<Terms[Term]> | (typeof CLEARED)[Term];
};

/** Adds the same options as for a launch, each with the word that takes it away. */
export function withForkedTerms(command: Command): Command {
  withTerms(command);
  for (const option of command.options) {
    const word = Object.entries(CLEARED).find(([name]) => name === option.attributeName())?.[1];
    const read = option.parseArg;
    if (word && read)
      option.argParser((text, before) => (text === word ? word : read(text, before)));
  }
  return command;
}

/** Adds the options that say on which terms a session is launched. */
export function withTerms(command: Command): Command {
  return command
    .addOption(
      new Option('--approvals <mode>', 'how much it may do unasked (default: ask)').choices(
        approvalsMode.options,
      ),
    )
    .option('--model <model>', 'model to ask for')
    .option('--budget <usd>', 'stop when the session has cost this much', parseDollars)
    .option('--tokens <count>', 'stop at so many tokens however they are read, as 2M', TOKENS)
    .option('--turns <count>', 'stop after so many turns, whoever gives them', TURNS)
    .option('--minutes <minutes>', 'stop when its turns have taken so long', MINUTES)
    .option(
      '--silence <minutes>',
      'end a turn whose engine says nothing for so long (default: 15)',
      parseMinutes,
    )
    .option(
      '--answer-within <hours>',
      'deny an approval that nobody answered for so long (default: 24)',
      parseAnswerHours,
    )
    .addOption(
      new Option(
        '--grade <grade>',
        'how much power it holds (default: the least that works there)',
      ).choices(GRADES),
    )
    .addOption(
      new Option(
        '--network <network>',
        'what it reaches: everything, or its model and the gate alone (default: what that machine says)',
      ).choices(NETWORKS),
    )
    .addOption(
      new Option('--mode <mode>', 'who gives the instructions after the first')
        .choices(MODES)
        .default('manual'),
    )
    .option(
      '--checklist <file>',
      'steps and the checks that prove them, for --mode pilot; - reads them from a pipe',
    )
    .addOption(BRAIN_OPTIONS.brain())
    .addOption(BRAIN_OPTIONS.key())
    .addOption(BRAIN_OPTIONS.model())
    .option('--max-turns <n>', 'instructions that the Pilot may give in all', parseCount)
    .option('--max-hours <hours>', 'stop the Pilot after so long', parseHours)
    .option(
      '--begin-anew',
      'let the Pilot begin a conversation anew that has grown long, told what was done',
    )
    .option(
      '--image <file>',
      'show it this image with the objective, as often as there are some: PNG, JPEG, GIF, WebP',
      (file: string, before?: string[]) => [...(before ?? []), file],
    )
    .option('--wait', 'show the work until the first turn ends');
}
