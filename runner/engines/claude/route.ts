import type { ModelRoute } from '../engine.ts';
import { readOverride } from './settings.ts';

const OWN_ADDRESS = 'https://api.anthropic.com';

/** Claude's calls through the model gate, for a key in the environment. */
export function routeClaude(
  env: NodeJS.ProcessEnv,
  credential: string,
  configDirectory: string,
): ModelRoute | { problem: string } {
  const key = env[credential];
  if (!key || (credential !== 'ANTHROPIC_API_KEY' && credential !== 'ANTHROPIC_AUTH_TOKEN'))
    return { problem: `The model gate does not know how to use the login ${credential}.` };
  const own = readOverride(configDirectory);
  if (own !== null)
    return {
      problem: `\`${own}\` in the settings of claude says how its model is called, past the environment.`,
    };
  return {
    protocol: 'anthropic',
    upstream: env['ANTHROPIC_BASE_URL'] || OWN_ADDRESS,
    keyVariable: credential,
    headers: {
      ...customHeaders(env['ANTHROPIC_CUSTOM_HEADERS'] ?? ''),
      ...(credential === 'ANTHROPIC_API_KEY'
        ? { 'x-api-key': key }
        : { authorization: `Bearer ${key}` }),
    },
    secrets: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'],
    through: (plan, baseUrl) => ({ ...plan, env: { ...plan.env, ANTHROPIC_BASE_URL: baseUrl } }),
  };
}

/** Lines of `Name: value`, as claude reads them. */
function customHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).trim().toLowerCase();
      return colon > 0 && name !== '' ? [[name, line.slice(colon + 1).trim()]] : [];
    }),
  );
}
