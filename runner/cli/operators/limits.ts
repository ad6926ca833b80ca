import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type Ceiling,
  CONNECTORS,
  CONSENTS,
  type Consents,
  type Narrowing,
} from '../../../protocol/ceiling.ts';
import {
  TERMINAL_BACKENDS,
  TERMINAL_TOOLS,
  type TerminalBackend,
  terminalName,
  terminalRisk,
  type TerminalTool,
} from '../../../protocol/terminal.ts';

export type LimitOptions = {
  onlyTool?: TerminalTool[];
  onlyBackend?: TerminalBackend[];
  prefix?: string;
  single?: true;
};
export type ConsentOptions = Partial<Consents>;

/** Gives a command the options that make an operator's ceiling smaller. */
export function withLimits(command: Command): Command {
  return command
    .addOption(
      new Option('--only-tool <tools...>', 'leave it these tools alone').choices(TERMINAL_TOOLS),
    )
    .addOption(
      new Option('--only-backend <kinds...>', 'leave it these kinds of terminal alone').choices(
        TERMINAL_BACKENDS,
      ),
    )
    .addOption(
      new Option('--prefix <name>', 'only sessions whose names begin so').argParser(parsePrefix),
    )
    .option('--single', 'only the one terminal that is bound to it');
}

const RISKS = {
  read: 'reads a terminal',
  send: 'types text or keys',
  run: 'runs a command',
  kill: 'closes a terminal',
};

/** Gives a command an option for each thing that is agreed to. */
export function withConsents(command: Command): Command {
  for (const risk of terminalRisk.options)
    command.addOption(
      new Option(`--${risk} <consent>`, `what happens when it ${RISKS[risk]}`).choices(CONSENTS),
    );
  return command;
}

/** The consents that were said. */
export const consentsOf = ({ read, send, run, kill }: ConsentOptions): Partial<Consents> =>
  Object.fromEntries(
    Object.entries({ read, send, run, kill }).filter(([, said]) => said !== undefined),
  );

/** The limits that were said, for each connector that the ceiling opens. */
export function narrowingOf(options: LimitOptions, ceiling: Ceiling): Narrowing {
  const { onlyTool, onlyBackend, prefix, single } = options;
  const option = {
    ...(onlyBackend && { backends: onlyBackend }),
    ...(prefix !== undefined && { prefix }),
    ...(single && { targets: 'single' as const }),
  };
  const opened = CONNECTORS.filter((name) => ceiling.surfaceOptions[name]);
  return {
    ...(onlyTool && { tools: onlyTool }),
    ...(Object.keys(option).length > 0 && {
      surfaceOptions: Object.fromEntries(opened.map((name) => [name, option])),
    }),
  };
}

function parsePrefix(text: string): string {
  const parsed = terminalName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Give letters, digits, - and _ alone.');
}
