import { z } from 'zod';
import { parseJson } from '../../json.ts';
import { withoutComments } from '../../json-comments.ts';

/** Where the providers are that opencode knows by their own names; others stand in its configuration. */
const KNOWN: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'https://api.anthropic.com',
  OPENAI_API_KEY: 'https://api.openai.com',
  GEMINI_API_KEY: 'https://generativelanguage.googleapis.com',
  GOOGLE_GENERATIVE_AI_API_KEY: 'https://generativelanguage.googleapis.com',
  OPENROUTER_API_KEY: 'https://openrouter.ai',
  GROQ_API_KEY: 'https://api.groq.com',
  XAI_API_KEY: 'https://api.x.ai',
  MISTRAL_API_KEY: 'https://api.mistral.ai',
  DEEPSEEK_API_KEY: 'https://api.deepseek.com',
  OPENCODE_API_KEY: 'https://opencode.ai',
};

/** The same by the names under which `opencode auth login` keeps its logins, with what renews them. */
const BY_LOGIN: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['https://api.anthropic.com', 'https://console.anthropic.com'],
  openai: ['https://api.openai.com', 'https://chatgpt.com', 'https://auth.openai.com'],
  'github-copilot': ['https://api.githubcopilot.com', 'https://api.github.com'],
  google: ['https://generativelanguage.googleapis.com'],
  openrouter: ['https://openrouter.ai'],
  groq: ['https://api.groq.com'],
  xai: ['https://api.x.ai', 'https://auth.x.ai'],
  mistral: ['https://api.mistral.ai'],
  deepseek: ['https://api.deepseek.com'],
  opencode: ['https://opencode.ai'],
};

/** What it takes the names and prices of models from. */
const MODELS = 'https://models.dev';

const config = z.object({
  provider: z
    .record(
      z.string(),
      z.object({ options: z.object({ baseURL: z.string().optional() }).optional() }),
    )
    .optional(),
});

/**
 * The addresses that opencode calls: of the providers that it has a key or a login for, and of those
 * that its configurations describe.
 */
export function addressesOf(
  env: NodeJS.ProcessEnv,
  logins: readonly string[],
  configurations: readonly string[],
): string[] {
  const byKey = Object.entries(KNOWN).flatMap(([name, url]) => (env[name] ? [url] : []));
  const byLogin = logins.flatMap((name) => BY_LOGIN[name] ?? []);
  const described = configurations.flatMap((text) => {
    const { data } = config.safeParse(parseJson(withoutComments(text)));
    return Object.values(data?.provider ?? {}).flatMap(({ options }) => options?.baseURL ?? []);
  });
  return [...new Set([MODELS, ...byKey, ...byLogin, ...described])];
}
