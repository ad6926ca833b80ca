import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  ASSOCIATIONS,
  association,
  type Association,
  GITHUB_API,
  GITHUB_COMMAND,
  GITHUB_LABEL,
  USUAL_ASSOCIATIONS,
} from '../../../protocol/github.ts';
import { type Grade, GRADES } from '../../../protocol/grade.ts';
import { limitsOf } from '../../../protocol/amounts.ts';
import { approvalsMode, type ApprovalsMode } from '../../../protocol/launch.ts';
import { POLICY_MODES, type PolicyMode } from '../../../protocol/merge-policy.ts';
import { EXIT, Failure } from '../../failure.ts';
import { expandHome } from '../../limits/paths.ts';
import { readSecret } from '../brain-keys/read-secret.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { MINUTES, TOKENS, TURNS } from '../budgets/options.ts';
import { chooseEngine, chooseRunner } from '../launch.ts';
import { parseDollars, withConnection, withDirectory } from '../options.ts';
import { BRAIN_OPTIONS, MODES, pilotOf, type PilotOptions } from '../pilot/launch-options.ts';
import { note, print } from '../output.ts';
import { describeChannels, describeConnected } from './words.ts';

const TOKEN = {
  variable: 'PILOTHOUSE_GITHUB_TOKEN',
  what: 'token',
  command: 'pilothouse github connect OWNER/NAME --budget USD',
};
/** The secret of a webhook that exists already. */
const SECRET_VARIABLE = 'PILOTHOUSE_GITHUB_SECRET';

type ConnectOptions = ConnectionOptions & {
  directory: string;
  runner?: string;
  engine?: string;
  model?: string;
  budget: number;
  tokens?: number;
  turns?: number;
  minutes?: number;
  approvals: ApprovalsMode;
  grade?: Grade;
  policy?: PolicyMode;
  label: string;
  from: Association[];
  webhook?: true;
  api: string;
} & Pick<PilotOptions, 'mode' | 'checklist' | 'brain' | 'brainKey' | 'brainModel'>;

const HELP = `
The token needs to read issues and write comments, and no more. It is never an argument: it is read
from ${TOKEN.variable}, else from standard input, else asked for unseen. It is kept encrypted.
Without --webhook the repository is asked every minute, which works behind any wall. With it a
secret is made and shown once, or taken from ${SECRET_VARIABLE}.
Whatever an issue or a comment says, engine, machine, budget, mode and policy are those given here.

Examples:
  pilothouse github connect octo/site --directory ~/code/site --engine claude --budget 5 < token.txt
  pilothouse github connect octo/site --budget 5 --mode pilot --checklist done.yaml --webhook`;

/** `pilothouse github …`: repositories whose issues and comments start and steer sessions. */
export function addGithub(program: Command): void {
  const github = program
    .command('github')
    .description(`let labelled issues start sessions, and ${GITHUB_COMMAND} comments steer them`);
  const connecting = withConnection(github.command('connect'))
    .description('connect a repository')
    .argument('<repository>', 'OWNER/NAME')
    .addOption(
      new Option('--budget <usd>', 'stop each session when it has cost this much')
        .argParser(parseDollars)
        .makeOptionMandatory(),
    )
    .option('--tokens <count>', 'stop each at so many tokens however they are read', TOKENS)
    .option('--turns <count>', 'stop each after so many turns', TURNS)
    .option('--minutes <minutes>', 'stop each when its turns have taken so long', MINUTES);
  withDirectory(connecting, 'its checkout on the machine', '.')
    .option('--runner <runner>', 'machine to run on: its id or name (default: this one)')
    .option('--engine <engine>', 'engine to use (default: the first that is ready)')
    .option('--model <model>', 'model to ask for')
    .addOption(
      new Option('--approvals <mode>', 'how much it may do unasked')
        .choices(approvalsMode.options)
        .default('ask'),
    )
    .addOption(new Option('--grade <grade>', 'how much power it holds').choices(GRADES))
    .addOption(
      new Option(
        '--policy <mode>',
        'what it may merge at most; never more than holds there',
      ).choices(POLICY_MODES),
    )
    .addOption(
      new Option('--mode <mode>', 'who gives the instructions after the first')
        .choices(MODES)
        .default('manual'),
    )
    .option('--checklist <file>', 'steps and the checks that prove them, for --mode pilot')
    .addOption(BRAIN_OPTIONS.brain())
    .addOption(BRAIN_OPTIONS.key())
    .addOption(BRAIN_OPTIONS.model())
    .option('--label <label>', 'label that starts a session', GITHUB_LABEL)
    .addOption(
      new Option('--from <associations>', 'who may start and steer, with commas between')
        .argParser(parseAssociations)
        .default(USUAL_ASSOCIATIONS, USUAL_ASSOCIATIONS.join(',')),
    )
    .option('--webhook', 'GitHub calls this instance, instead of being asked')
    .option('--api <address>', 'root of its API, for GitHub Enterprise', GITHUB_API)
    .addHelpText('after', HELP)
    .action(runConnect);
  withConnection(github.command('list'))
    .description('list the connected repositories, and what went wrong with them last')
    .action(async (options: ConnectionOptions) => {
      const items = await connect(options, process.env).api.listGithub();
      print(options.json, { items }, () => describeChannels(items, Date.now()));
    });
  withConnection(github.command('remove'))
    .description('disconnect a repository and forget its secrets; its sessions go on')
    .argument('<repository>', 'OWNER/NAME, or its id')
    .action(runRemove);
}

async function runConnect(repository: string, options: ConnectOptions): Promise<void> {
  const { api, url, localRunnerId } = connect(options, process.env);
  const runner = chooseRunner(await api.listRunners(), options.runner, localRunnerId);
  const pilot = await pilotOf(options, () => api.listBrainKeys());
  const kept = process.env[SECRET_VARIABLE]?.trim() || null;
  const made = options.webhook && kept === null ? randomBytes(32).toString('hex') : null;
  const channel = await api.connectGithub({
    repository,
    label: options.label,
    associations: options.from,
    delivery: options.webhook ? 'webhook' : 'poll',
    apiUrl: options.api,
    token: await readSecret(process.env, process.stdin, note, TOKEN),
    webhookSecret: options.webhook ? (kept ?? made) : null,
    launch: {
      runnerId: runner.runnerId,
      engineId: options.engine ?? chooseEngine(runner),
      directory: resolve(expandHome(options.directory, homedir())),
      model: options.model ?? null,
      approvals: options.approvals,
      grade: options.grade ?? null,
      budgetMicroUsd: options.budget,
      limits: limitsOf({ ...options, timeMs: options.minutes }),
      pilot: pilot ?? null,
      ...(options.policy && { policy: { mode: options.policy } }),
    },
  });
  const told = made === null ? channel : { ...channel, webhookSecret: made };
  print(options.json, told, () => describeConnected(channel, url, made));
}

async function runRemove(wanted: string, options: ConnectionOptions): Promise<void> {
  const { api } = connect(options, process.env);
  const found = (await api.listGithub()).find(
    ({ repository, channelId }) =>
      channelId === wanted || repository.toLowerCase() === wanted.toLowerCase(),
  );
  if (!found)
    throw new Failure(
      EXIT.refused,
      'github_channel_not_found',
      `${wanted} is not connected. \`pilothouse github list\` shows what is.`,
    );
  await api.removeGithub(found.channelId);
  const { channelId, repository } = found;
  print(options.json, { channelId, removed: true }, () => `Disconnected ${repository}.`);
}

/** `owner, member` as typed. Throws what commander shows as wrong usage. */
function parseAssociations(text: string): Association[] {
  const read = text.split(',').map((word) => association.safeParse(word.trim().toUpperCase()));
  return read.map(({ data }) => {
    if (data) return data;
    throw new InvalidArgumentError(`Give some of: ${ASSOCIATIONS.join(', ')}.`);
  });
}
