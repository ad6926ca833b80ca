import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { operatorBody, type OperatorBody } from '../../../protocol/operator.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findInstance, findOperator } from './find.ts';
import { describeInstance, describeOperator, describeOperators } from './words.ts';

const STDIN = 0;
const ABOUT = `
The file is YAML or JSON; - is standard input. A version that allows more than the one before runs in
an instance only once its person agrees.

Examples:
  pilothouse operators show opr_tmux --file > watcher.yaml
  pilothouse operators publish watcher.yaml
  pilothouse operators publish watcher.yaml --operator Watcher`;

/** `pilothouse operators list`, `show`, `publish` and `withdraw`. */
export function addDefinitions(operators: Command): void {
  withConnection(operators.command('list'))
    .description('list operators that instances can be made of, and what each may do at most')
    .action(async (options: ConnectionOptions) => {
      const list = await connect(options, process.env).api.listOperators();
      print(options.json, list, () => describeOperators(list));
    });
  withConnection(operators.command('show'))
    .description('show an operator and its versions, or an instance and what it may do')
    .argument('<operator>', 'id or name of an operator, or of an instance')
    .option('--file', 'print the operator as a file that publish takes')
    .action(runShow);
  withConnection(operators.command('publish'))
    .description('publish an operator of your own, or its next version')
    .argument('<file>', 'what it is told, its tools and its ceiling')
    .option('--operator <operator>', 'as the next version of this one')
    .addHelpText('after', ABOUT)
    .action(runPublish);
  withConnection(operators.command('withdraw'))
    .description('let nothing new be made of an operator; its instances go on')
    .argument('<operator>', 'id or name')
    .action(async (text: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { id, name } = (await findOperator(api, text)).definition;
      await api.withdrawOperator(id);
      print(options.json, { operatorId: id, withdrawn: true }, () => `Withdrew ${name}.`);
    });
}

async function runShow(text: string, options: ConnectionOptions & { file?: true }): Promise<void> {
  const { api } = connect(options, process.env);
  if (text.startsWith('ins_')) {
    const detail = await findInstance(api, text);
    return print(options.json, detail, () => describeInstance(detail));
  }
  const found = await findOperator(api, text).catch(async (error: unknown) => {
    // A name that no operator has may be an instance's.
    const instance = await findInstance(api, text).catch(() => null);
    if (!instance) throw error;
    return instance;
  });
  if ('instance' in found) return print(options.json, found, () => describeInstance(found));
  const detail = await api.readOperator(found.definition.id);
  if (options.file) process.stdout.write(printOperatorFile(found.definition));
  else print(options.json, detail, () => describeOperator(detail));
}

async function runPublish(
  file: string,
  options: ConnectionOptions & { operator?: string },
): Promise<void> {
  const body = readOperatorFile(file);
  const { api } = connect(options, process.env);
  const onto = options.operator === undefined ? null : await findOperator(api, options.operator);
  const entry = await api.publishOperator({
    operatorId: onto?.definition.id ?? null,
    basedOn: onto?.definition.version ?? 0,
    body,
  });
  const { id, name, version } = entry.definition;
  print(options.json, entry, () =>
    [`Published version ${version} of ${name} (${id}).`, '', ...entry.words].join('\n'),
  );
}

/** An operator as a file: exactly what a creator says of it. */
export const printOperatorFile = (definition: OperatorBody): string =>
  stringify(operatorBody.strip().parse(definition));

/** Reads such a file. Throws a {@link Failure} that names the field. */
function readOperatorFile(path: string): OperatorBody {
  try {
    return operatorBody.parse(parse(readFileSync(path === '-' ? STDIN : path, 'utf8')));
  } catch (error) {
    const sentence = `${path} is no operator: ${wordsOf(error)}. \`pilothouse operators show opr_tmux --file\` prints one.`;
    throw new Failure(EXIT.usage, 'bad_operator', sentence, { cause: error });
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return messageOf(error);
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'malformed'}`;
}
