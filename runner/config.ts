import { z } from 'zod';
import { runnerId } from '../protocol/ids.ts';
import { EXIT, Failure } from './failure.ts';
import { dataDirectoryOf, layoutOf, type DataLayout } from './host/layout.ts';
import { readPairing } from './pairing.ts';

export type RunnerConfig = {
  url: string;
  runnerId: z.infer<typeof runnerId>;
  /** Known to this process and to its parent; never an argument, never given to an engine. */
  token: string;
  layout: DataLayout;
};

const environment = z.object({
  PILOTHOUSE_URL: z.url({ protocol: /^https?$/ }),
  PILOTHOUSE_RUNNER_ID: runnerId,
  PILOTHOUSE_RUNNER_TOKEN: z.string().min(16),
});

/** Reads what a runner is told by its environment, or by the pairing of its data directory. Throws a `Failure` that names what is missing. */
export function readRunnerConfig(env: NodeJS.ProcessEnv): RunnerConfig {
  const layout = layoutOf(dataDirectoryOf(undefined, env));
  const parsed = environment.safeParse(env);
  const told = env['PILOTHOUSE_RUNNER_ID'] ?? env['PILOTHOUSE_RUNNER_TOKEN'];
  const paired = told !== undefined ? null : readPairing(layout);
  if (paired) return { ...paired, layout };
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))].join(
      ', ',
    );
    throw new Failure(
      EXIT.usage,
      'runner_not_configured',
      `The runner does not know where to connect: ${names} is missing or not in the expected form. \`npm start\` runs one by itself; to run one for a Pilothouse elsewhere, pair this machine: \`pilothouse runner pair ADDRESS\`, with the code that “Pair a machine” in its console gives.`,
    );
  }
  return {
    url: parsed.data.PILOTHOUSE_URL,
    runnerId: parsed.data.PILOTHOUSE_RUNNER_ID,
    token: parsed.data.PILOTHOUSE_RUNNER_TOKEN,
    layout,
  };
}
