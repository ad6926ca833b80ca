import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Payer } from '../../../protocol/usage.ts';

type Credential = { payer: Payer; credential: string };

const config = z.object({
  model_provider: z.string().optional().catch(undefined),
  model_providers: z
    .record(z.string(), z.looseObject({ env_key: z.string().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/** The variable that the chosen provider of a `config.toml` takes its key from; null for none. */
export function parseEnvKey(text: string): string | null {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch {
    // A broken file is codex's to tell, in its own words, when it starts.
    return null;
  }
  const parsed = config.safeParse(raw);
  if (!parsed.success || parsed.data.model_provider === undefined) return null;
  return parsed.data.model_providers?.[parsed.data.model_provider]?.env_key ?? null;
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
