import type { LoginAnswer } from '../preflight.ts';
import { type OwnSettings, providerOf } from './settings.ts';

/** What this machine shows of qwen's login: names, and whether they are set; no value. */
export type LoginFacts = {
  own: OwnSettings;
  /** Whether a variable is set, in the environment or in a file that qwen reads itself. */
  isSet(name: string): boolean;
};

const REMEDY =
  'Run `qwen` once on this machine and choose a provider with `/auth`, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL in the environment of the runner.';

const KEYS: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
  'vertex-ai': 'GOOGLE_API_KEY',
};

/** Keys of plans with a flat price: nobody pays for a call. */
const PLANS = new Set(['BAILIAN_CODING_PLAN_API_KEY']);

/**
 * The way in which qwen would log in: what its settings choose, then what the environment names.
 * Source: `getAuthTypeFromEnv` and `validateAuthMethod` of qwen 0.24.4.
 */
export function decideMethod({ own, isSet }: LoginFacts): string | null {
  const chosen = own.security?.auth?.selectedType;
  if (chosen) return chosen;
  const all = (...names: string[]) => names.every(isSet);
  if (all('OPENAI_API_KEY', 'OPENAI_BASE_URL') && (isSet('OPENAI_MODEL') || isSet('QWEN_MODEL')))
    return 'openai';
  if (all('GEMINI_API_KEY', 'GEMINI_MODEL')) return 'gemini';
  if (all('GOOGLE_API_KEY', 'GOOGLE_MODEL')) return 'vertex-ai';
  return all('ANTHROPIC_API_KEY', 'ANTHROPIC_MODEL', 'ANTHROPIC_BASE_URL') ? 'anthropic' : null;
}

/** Decides what qwen would log in with, and who pays for it. Names only, never values. */
export function decideLogin(facts: LoginFacts): LoginAnswer {
  const { own, isSet } = facts;
  const method = decideMethod(facts);
  if (method === null) return missing('qwen is not logged in.');
  if (method === 'qwen-oauth')
    return missing('qwen is set to log in with Qwen, which its maker ended in April 2026.');
  const usual = KEYS[method];
  if (usual === undefined) return missing(`qwen is set to a login that nobody knows, ${method}.`);
  const name = providerOf(own, method, own.model?.name ?? null)?.envKey ?? usual;
  const payer = PLANS.has(name) ? 'subscription' : 'api-key';
  if (isSet(name)) return { kind: 'found', payer, credential: name };
  if (own.env?.[name]) return { kind: 'found', payer, credential: `settings.json (${name})` };
  if (own.security?.auth?.apiKey)
    return { kind: 'found', payer: 'api-key', credential: 'settings.json (apiKey)' };
  if (method === 'vertex-ai' && isSet('GOOGLE_CLOUD_PROJECT'))
    return { kind: 'found', payer: 'api-key', credential: 'GOOGLE_CLOUD_PROJECT' };
  return missing(`qwen is set to the login ${method}, and ${name} is not there.`);
}

const missing = (problem: string): LoginAnswer => ({ kind: 'missing', problem, remedy: REMEDY });
