import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type {
  Aside,
  AsidePlan,
  AsideQuestion,
  EngineItem,
  EngineLaunch,
  SpawnPlan,
} from '../engine.ts';
import { openingLines, SPEAKS_LINES, userLine } from './encode.ts';
import { ownLimit } from './own-limit.ts';

/**
 * Without tools, connectors, skills, hooks or the settings of a project; what the person set holds,
 * because their login may stand there. Nothing of the conversation is kept.
 */
const ALONE = [
  '--no-session-persistence',
  '--tools',
  '',
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--setting-sources',
  'user',
  '--settings',
  JSON.stringify({ disableAllHooks: true }),
  '--permission-mode',
  'default',
] as const;

/** A cent is the least that makes sense, in micro-USD: a question is asked whole or not at all. */
const LEAST_MICRO_USD = 10_000;

const limitOf = ({ maxMicroUsd }: AsideQuestion): string[] =>
  ownLimit(maxMicroUsd === null ? null : Math.max(LEAST_MICRO_USD, maxMicroUsd));

/** The whole talk: who pays, what was spent before, which is nothing, and the question. */
export function asideInput(launch: EngineLaunch, { turnId, prompt }: AsideQuestion): string {
  const items = [...openingLines(launch.launchId, {}), userLine({ turnId, text: prompt })];
  return items.map(lineOf).join('');
}

const lineOf = (item: EngineItem): string => (item.kind === 'write' ? `${item.line}\n` : '');

const result = z.object({ type: z.literal('result'), structured_output: z.unknown() });

/** The answer in the line that ends the turn; it is left out where the model refused. */
export function answerOf(line: string): unknown {
  const parsed = result.safeParse(parseJson(line));
  return parsed.success ? parsed.data.structured_output : undefined;
}

/** Claude, asked beside a conversation. `environment` is what every process of it has. */
export const claudeAside = (environment: (env: NodeJS.ProcessEnv) => SpawnPlan['env']): Aside => ({
  answerOf,
  plan: (launch, env, question): AsidePlan => ({
    argv: [
      launch.executable,
      ...SPEAKS_LINES,
      '--replay-user-messages',
      '--session-id',
      launch.engineSessionId,
      ...ALONE,
      '--system-prompt',
      question.system,
      '--json-schema',
      JSON.stringify(question.schema),
      ...limitOf(question),
      ...(launch.launch.model ? ['--model', launch.launch.model] : []),
    ],
    directory: launch.directory,
    env: { ...environment(env) },
    input: asideInput(launch, question),
  }),
});
