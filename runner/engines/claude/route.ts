import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { ModelRoute } from '../engine.ts';

const OWN_ADDRESS = 'https://api.anthropic.com';

const settings = z.object({
  apiKeyHelper: z.string().nullish(),
  env: z.record(z.string(), z.string()).nullish(),
});

/** Claude's calls through the model gate, for a key in the environment. */
export function routeClaude(
  env: NodeJS.ProcessEnv,
  credential: string,
  configDirectory: string,
): ModelRoute | { problem: string } {
  const key = env[credential];
  if (!key || (credential !== 'ANTHROPIC_API_KEY' && credential !== 'ANTHROPIC_AUTH_TOKEN'))
    return { problem: `The model gate does not know how to use the login ${credential}.` };
  const own = readOverride(join(configDirectory, 'settings.json'));
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

/** The setting that decides about key or address before any variable does; null for none. */
function readOverride(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const parsed = settings.safeParse(parseJson(text));
  if (!parsed.success) return null;
  if (parsed.data.apiKeyHelper) return 'apiKeyHelper';
  const name = Object.keys(parsed.data.env ?? {}).find((each) =>
    /^(ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS)|CLAUDE_CODE_USE_\w+)$/.test(each),
  );
  return name === undefined ? null : `env.${name}`;
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
