import type { ModelRoute, SpawnPlan } from '../engine.ts';
import { parseProvider } from './credential.ts';

const OWN_ADDRESS = 'https://api.openai.com/v1';

/** Codex's calls through the model gate, for a key in the environment. `config` is its own text. */
export function routeCodex(
  env: NodeJS.ProcessEnv,
  credential: string,
  config: string,
): ModelRoute | { problem: string } {
  const key = env[credential];
  if (!key)
    return { problem: 'The key of codex is stored in its own login, where codex reads it itself.' };
  const { chosen, provider, openaiBaseUrl } = parseProvider(config);
  const named = provider?.env_key === credential ? provider : null;
  if (named && (!named.base_url || (named.wire_api ?? 'responses') !== 'responses'))
    return {
      problem: `The provider ${chosen} of codex is called in a way that the model gate does not know.`,
    };
  if (!named && credential !== 'CODEX_API_KEY')
    return { problem: `The model gate does not know how to use the login ${credential}.` };
  const setting = named ? `model_providers.${chosen}.base_url` : 'openai_base_url';
  return {
    protocol: 'openai',
    upstream: named?.base_url ?? openaiBaseUrl ?? OWN_ADDRESS,
    keyVariable: credential,
    headers: { authorization: `Bearer ${key}` },
    secrets: [credential, 'CODEX_API_KEY'],
    through: (plan, baseUrl) => withSetting(plan, `${setting}=${JSON.stringify(baseUrl)}`),
  };
}

/** Its API with either login, and where a subscription's login is renewed. */
const ADDRESSES = [OWN_ADDRESS, 'https://chatgpt.com', 'https://auth.openai.com'] as const;

/** What codex calls, with the provider that its configuration chooses. */
export function addressesOf(env: NodeJS.ProcessEnv, config: string): string[] {
  const { provider, openaiBaseUrl } = parseProvider(config);
  const own = [provider?.base_url, openaiBaseUrl, env['CODEX_REFRESH_TOKEN_URL_OVERRIDE']];
  return [...ADDRESSES, ...own.filter((each) => each !== undefined)];
}

/** Settings stand before the subcommand, right after the executable. */
function withSetting(plan: SpawnPlan, setting: string): SpawnPlan {
  const [executable, ...rest] = plan.argv;
  return { ...plan, argv: [executable, '-c', setting, ...rest] };
}
