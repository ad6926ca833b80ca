import { z } from 'zod';
import { withoutComments } from '../../json-comments.ts';
import type { LoginAnswer } from '../preflight.ts';

/** What this machine shows of gemini's login: names, and whether files are there; no value. */
export type LoginFacts = {
  /** `security.auth.selectedType` of the person's settings; null when none was chosen. */
  selectedType: string | null;
  /** Whether a variable is set, in the environment or in the file that gemini reads itself. */
  isSet(name: string): boolean;
  /** A Google login is stored in a file. */
  googleLogin: boolean;
  /** A key may be stored where only gemini can look: its own encrypted file, or a keychain. */
  mayHoldKey: boolean;
};

const LOGIN =
  'Run `gemini` once on this machine and log in, or set GEMINI_API_KEY in the environment of the runner.';

/**
 * Decides what gemini would log in with, in its own order: the method that was chosen in its
 * settings, then what the environment names.
 * Source: `getAuthTypeFromEnv` and `validateAuthMethod` of gemini 0.61.0.
 */
export function decideLogin(facts: LoginFacts): LoginAnswer {
  const method = decideMethod(facts);
  switch (method) {
    case 'gemini-api-key':
      if (facts.isSet('GEMINI_API_KEY')) return apiKey('GEMINI_API_KEY');
      return facts.mayHoldKey ? apiKey('stored API key') : refused('gemini has no API key.');
    case 'oauth-personal':
      return facts.googleLogin
        ? { kind: 'found', payer: 'subscription', credential: 'oauth-personal' }
        : refused('gemini is set to log in with Google, and nobody has logged in.');
    case 'vertex-ai':
      if (facts.isSet('GOOGLE_API_KEY')) return apiKey('GOOGLE_API_KEY');
      return facts.isSet('GOOGLE_CLOUD_PROJECT') && facts.isSet('GOOGLE_CLOUD_LOCATION')
        ? apiKey('GOOGLE_CLOUD_PROJECT')
        : refused('gemini is set to use Vertex AI, without a key or a project.');
    case 'compute-default-credentials':
    case 'cloud-shell':
      return { kind: 'found', payer: 'unknown', credential: method };
    case null:
      return refused('gemini is not logged in.');
    default:
      return {
        kind: 'missing',
        problem: `gemini does not work without a terminal with the login ${method}.`,
        remedy:
          'Choose another login in `gemini`, or `security.auth.selectedType` in ~/.gemini/settings.json.',
      };
  }
}

/** The login method that gemini would use, whether it works or not; null for none. */
export const decideMethod = (facts: LoginFacts): string | null =>
  facts.selectedType ?? methodOf(facts);

function methodOf({ isSet }: LoginFacts): string | null {
  if (isSet('GOOGLE_GENAI_USE_GCA')) return 'oauth-personal';
  if (isSet('GOOGLE_GENAI_USE_VERTEXAI')) return 'vertex-ai';
  if (isSet('GOOGLE_GEMINI_BASE_URL')) return 'gateway';
  if (isSet('GEMINI_API_KEY')) return 'gemini-api-key';
  return isSet('CLOUD_SHELL') || isSet('GEMINI_CLI_USE_COMPUTE_ADC')
    ? 'compute-default-credentials'
    : null;
}

const apiKey = (credential: string): LoginAnswer => ({
  kind: 'found',
  payer: 'api-key',
  credential,
});
const refused = (problem: string): LoginAnswer => ({ kind: 'missing', problem, remedy: LOGIN });

const settings = z.object({
  security: z
    .object({ auth: z.object({ selectedType: z.string().nullish() }).nullish() })
    .nullish(),
});

/** The login method that a settings file chooses; null when it chooses none or cannot be read. */
export function parseSelectedType(text: string): string | null {
  const plain = withoutComments(text);
  try {
    const parsed = settings.safeParse(JSON.parse(plain));
    return parsed.success ? (parsed.data.security?.auth?.selectedType ?? null) : null;
  } catch {
    return null;
  }
}

/** The names that an environment file sets to something. */
export function namesOf(dotenv: string): Set<string> {
  const names = dotenv.matchAll(
    /^\s*(?:export\s+)?(\w+)\s*=\s*(?:"[^"\n]+"|'[^'\n]+'|[^\s"'#]+)/gm,
  );
  return new Set(Array.from(names, ([, name]) => name ?? ''));
}
