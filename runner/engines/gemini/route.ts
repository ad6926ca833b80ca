import type { ModelRoute } from '../engine.ts';

const OWN_ADDRESS = 'https://generativelanguage.googleapis.com';
/** Its API with either login, and where a Google login is renewed. */
const ADDRESSES = [
  OWN_ADDRESS,
  'https://cloudcode-pa.googleapis.com',
  'https://oauth2.googleapis.com',
] as const;
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Gemini's calls through the model gate, for a key in the environment. */
export function routeGemini(
  env: NodeJS.ProcessEnv,
  credential: string,
  selectedType: string | null,
): ModelRoute | { problem: string } {
  const key = env[credential];
  if (credential !== 'GEMINI_API_KEY' || !key)
    return {
      problem: `The key of gemini is not in the environment of the runner (${credential}).`,
    };
  // Without a choice it takes another address for another kind of login, which needs a terminal.
  if (selectedType !== 'gemini-api-key')
    return {
      problem:
        'The settings of gemini choose no login. `"security": {"auth": {"selectedType": "gemini-api-key"}}` in ~/.gemini/settings.json does.',
    };
  if (PROXIES.some((name) => env[name]))
    return { problem: 'gemini asks the configured proxy for every address, that of the gate too.' };
  return {
    protocol: 'gemini',
    upstream: env['GOOGLE_GEMINI_BASE_URL'] || OWN_ADDRESS,
    keyVariable: credential,
    headers: { 'x-goog-api-key': key },
    secrets: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    through: (plan, baseUrl) => ({
      ...plan,
      env: { ...plan.env, GOOGLE_GEMINI_BASE_URL: baseUrl },
    }),
  };
}

/** What gemini calls, with the addresses that its environment names. */
export function addressesOf(env: NodeJS.ProcessEnv): string[] {
  const own = [env['GOOGLE_GEMINI_BASE_URL'], env['CODE_ASSIST_ENDPOINT']];
  return [...ADDRESSES, ...own.filter((each) => each !== undefined)];
}
