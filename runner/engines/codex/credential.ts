import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Payer } from '../../../protocol/usage.ts';

type Credential = { payer: Payer; credential: string };

const optional = z.string().optional().catch(undefined);
const config = z.object({
  model: optional,
  profile: optional,
  profiles: z
    .record(z.string(), z.looseObject({ model: optional }))
    .optional()
    .catch(undefined),
  openai_base_url: optional,
  model_provider: optional,
  model_providers: z
    .record(
      z.string(),
      z.looseObject({ env_key: optional, base_url: optional, wire_api: optional }),
    )
    .optional()
    .catch(undefined),
});

/** The variable that the chosen provider of a `config.toml` takes its key from; null for none. */
export function parseEnvKey(text: string): string | null {
  const { model_provider: chosen, model_providers: providers } = parseConfig(text);
  return chosen === undefined ? null : (providers?.[chosen]?.env_key ?? null);
}

/** The provider that a `config.toml` chooses, and how it would call OpenAI's own. */
export function parseProvider(text: string) {
  const { model_provider: chosen, model_providers: providers, openai_base_url } = parseConfig(text);
  const provider = chosen === undefined ? undefined : providers?.[chosen];
  return { chosen, provider, openaiBaseUrl: openai_base_url };
}

/** The model that a `config.toml` names, its chosen profile first; null for none. */
export function parseOwnModel(text: string): string | null {
  const { model, profile, profiles } = parseConfig(text);
  return (profile === undefined ? undefined : profiles?.[profile]?.model) ?? model ?? null;
}

function parseConfig(text: string): z.infer<typeof config> {
  try {
    return config.safeParse(parse(text)).data ?? {};
  } catch {
    // A broken file is codex's to tell, in its own words, when it starts.
    return {};
  }
}

/**
 * Decides by which credential codex works, in its own order: a provider of the configuration,
 * CODEX_API_KEY, then what `codex login status` says. Names only, never values.
 */
export function decideCredential(
  env: Readonly<Record<string, string | undefined>>,
  envKey: string | null,
  loginStatus: string | null,
): Credential | null {
  if (envKey !== null) return env[envKey] ? { payer: 'api-key', credential: envKey } : null;
  if (env['CODEX_API_KEY']) return { payer: 'api-key', credential: 'CODEX_API_KEY' };
  const said = /^Logged in using (.+?)(?: - .*)?$/m.exec(loginStatus ?? '')?.[1];
  if (said === undefined) return null;
  return /api key/i.test(said)
    ? { payer: 'api-key', credential: 'codex login (API key)' }
    : { payer: 'subscription', credential: `codex login (${said})` };
}
