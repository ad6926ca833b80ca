import type { ModelRoute } from '../engine.ts';
import { decideMethod } from './credential.ts';
import { type OwnSettings, providerOf } from './settings.ts';

/** Where it calls without an address of its own. Source: qwen 0.24.4. */
const OWN_ADDRESS = 'https://api.openai.com/v1';

/** Qwen's calls through the model gate, for a key in the environment. `model`: what the launch would take. */
export function routeQwen(
  env: NodeJS.ProcessEnv,
  credential: string,
  own: OwnSettings,
): ModelRoute | { problem: string } {
  const key = env['OPENAI_API_KEY'];
  const method = decideMethod({ own, isSet: (name) => Boolean(env[name]) });
  if (credential !== 'OPENAI_API_KEY' || method !== 'openai' || !key)
    return {
      problem: `The model gate does not know how to use the login of qwen (${credential}).`,
    };
  // An address that stands beside a model goes before any variable.
  if (providerOf(own, method, own.model?.name ?? null)?.baseUrl !== undefined)
    return {
      problem: 'The settings of qwen give its model an address, which nothing else can set.',
    };
  return {
    protocol: 'openai',
    upstream: env['OPENAI_BASE_URL'] || own.security?.auth?.baseUrl || OWN_ADDRESS,
    keyVariable: 'OPENAI_API_KEY',
    headers: { authorization: `Bearer ${key}` },
    secrets: ['OPENAI_API_KEY'],
    through: (plan, baseUrl) => ({ ...plan, env: { ...plan.env, OPENAI_BASE_URL: baseUrl } }),
  };
}

/** What qwen calls, with the addresses that its environment and its settings name. */
export function addressesOf(env: NodeJS.ProcessEnv, own: OwnSettings): string[] {
  const described = Object.values(own.modelProviders ?? {}).flatMap((models) =>
    models.map(({ baseUrl }) => baseUrl),
  );
  const named = [
    env['OPENAI_BASE_URL'],
    env['ANTHROPIC_BASE_URL'],
    own.security?.auth?.baseUrl,
    ...described,
  ];
  return [...new Set([OWN_ADDRESS, ...named.filter((each) => each !== undefined)])];
}
