import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import {
  branchName,
  postedOutcome,
  type PostedOutcome,
  postedReport,
  REPORTS_PATH,
} from '../../../protocol/decisions.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { parseAnswer, refusal, send, withQuery } from '../api.ts';
import { print } from '../output.ts';
import { parseBranch } from './words.ts';

type PostOptions = { branch?: string; json?: boolean };

/** Where the common build services say on which branch they work; the first that is set counts. */
const BRANCH_VARIABLES = [
  'GITHUB_HEAD_REF',
  'GITHUB_REF_NAME',
  'CI_COMMIT_REF_NAME',
  'BUILDKITE_BRANCH',
  'CIRCLE_BRANCH',
  'BRANCH_NAME',
];

/** `pilothouse decisions post`: what a build runs after its check. */
export function addPost(decisions: Command): void {
  decisions
    .command('post')
    .description('post what pilothouse adr check --json printed, with the key of a build')
    .argument('[file]', 'the report; standard input when it is left out or -')
    .option('--branch <branch>', 'the branch; else as the build service names it', parseBranch)
    .option('--json', 'print JSON, errors included')
    .addHelpText(
      'after',
      `\nThe address is PILOTHOUSE_URL, the key PILOTHOUSE_DECISIONS_KEY.\n\nExample:\n  pilothouse adr check --json > decisions.json; pilothouse decisions post decisions.json`,
    )
    .action(async (file: string | undefined, options: PostOptions) => {
      const { env } = process;
      const { url, key } = readTarget(env);
      const branch = options.branch ?? branchOf(env);
      const report = parseReport(await readReport(file), file ?? 'standard input');
      const path = withQuery(REPORTS_PATH, { branch });
      const response = await send(url, key, 'POST', path, report);
      const answer = await response.text();
      if (!response.ok) throw refusal(response.status, answer);
      const posted = parseAnswer(postedOutcome, answer, path);
      print(options.json, posted, () => OUTCOMES[posted.outcome]);
    });
}

const OUTCOMES: Record<PostedOutcome['outcome'], string> = {
  kept: 'The report is kept.',
  known: 'This report was posted before, so nothing changed.',
  too_old: 'So many later reports are kept that this one was not.',
};

function readTarget(env: NodeJS.ProcessEnv): { url: string; key: string } {
  const { PILOTHOUSE_URL: url, PILOTHOUSE_DECISIONS_KEY: key } = env;
  if (url && key) return { url, key };
  throw new Failure(
    EXIT.usage,
    'usage',
    'Where to post is not known. Set PILOTHOUSE_URL to the address of Pilothouse and PILOTHOUSE_DECISIONS_KEY to a key that pilothouse decisions keys make printed.',
  );
}

/** The branch that a build is of. Throws where no service names one that git could have. */
function branchOf(env: NodeJS.ProcessEnv): string {
  const named = BRANCH_VARIABLES.map((name) => env[name]).find(Boolean);
  const parsed = branchName.safeParse(named);
  if (parsed.success && named) return named;
  throw new Failure(
    EXIT.usage,
    'usage',
    'The branch is not known: this build service does not name it. Give it with --branch.',
  );
}

async function readReport(file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') return readText(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      'usage',
      `${file} cannot be read (${messageOf(error)}). Write the report there first: pilothouse adr check --json > ${file}`,
      { cause: error },
    );
  }
}

function parseReport(text: string, from: string): unknown {
  try {
    return postedReport.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      EXIT.usage,
      'usage',
      `${from} holds no report of a check. Post what pilothouse adr check --json prints, of the same version.`,
      { cause: error },
    );
  }
}
