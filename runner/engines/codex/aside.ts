import type { Aside, AsidePlan, EngineLaunch, SpawnPlan } from '../engine.ts';

const SCHEMA = 'schema.json';

/** What codex would offer its model beside the answer. */
const FEATURES = [
  'shell_tool',
  'unified_exec',
  'shell_snapshot',
  'view_image',
  'image_generation',
  'multi_agent_v2',
  'skill_search',
  'tool_suggest',
  'sleep_tool',
  'goals',
  'hooks',
  'plugins',
  'apps',
  'browser_use',
  'computer_use',
] as const;

const WITHOUT = [
  ...FEATURES.map((name) => `features.${name}=false`),
  'agents.enabled=false',
  'web_search="disabled"',
  'mcp_servers={}',
  'notify=[]',
].flatMap((setting) => ['-c', setting]);

/**
 * Codex, asked beside a conversation: nothing of it is kept, and what it may still run it runs in
 * its own read-only sandbox. `environment` is what every process of it has.
 */
export const codexAside = (
  environment: (launch: EngineLaunch, env: NodeJS.ProcessEnv) => SpawnPlan['env'],
): Aside => ({
  plan: (launch, env, { system, prompt, schema }): AsidePlan => ({
    argv: [
      launch.executable,
      ...WITHOUT,
      '-c',
      `developer_instructions=${JSON.stringify(system)}`,
      'exec',
      '--json',
      '--ephemeral',
      '--sandbox',
      'read-only',
      '--skip-git-repo-check',
      '--output-schema',
      SCHEMA,
      ...(launch.launch.model ? ['--model', launch.launch.model] : []),
      '-',
    ],
    directory: launch.directory,
    env: environment(launch, env),
    input: prompt,
    files: { [SCHEMA]: JSON.stringify(schema) },
  }),
});
