import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../json.ts';
import { editing, parseSettings, readSettings, type SettingsFinding } from '../settings.ts';

const settings = z.object({
  apiKeyHelper: z.string().nullish(),
  env: z.record(z.string(), z.string()).nullish(),
});

const CALLS = /^(ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS)|CLAUDE_CODE_USE_\w+)$/;
const PAYS = /^(ANTHROPIC_(API_KEY|AUTH_TOKEN)|CLAUDE_CODE_USE_\w+)$/;

/** The setting that decides about key or address before any variable does; null for none. */
export const readOverride = (configDirectory: string): string | null =>
  findOverride(readSettings(join(configDirectory, 'settings.json')) ?? '', CALLS);

function findOverride(text: string, names: RegExp): string | null {
  const parsed = settings.safeParse(parseJson(text));
  if (!parsed.success) return null;
  if (parsed.data.apiKeyHelper) return 'apiKeyHelper';
  const name = Object.keys(parsed.data.env ?? {}).find((each) => names.test(each));
  return name === undefined ? null : `env.${name}`;
}

/**
 * What claude's own settings mean for a launch. It begins with any of them: a file that it cannot
 * read it leaves out whole, and says so in its terminal alone (seen on 2.1.332). Its hooks may be
 * off and nothing changes: the runner is asked all the same. `credential` is what the environment
 * shows, null for none.
 */
export function lookAtSettings(
  configDirectory: string,
  credential: string | null,
): SettingsFinding[] {
  const path = join(configDirectory, 'settings.json');
  const text = readSettings(path);
  if (text === null || text.trim() === '') return [];
  const parsed = parseSettings(text);
  if ('broken' in parsed || typeof parsed.value !== 'object' || parsed.value === null) {
    const why = 'broken' in parsed ? ` (${parsed.broken})` : '';
    return [
      {
        problem: `${path} is no JSON object${why}, so claude works without all of it: what you deny there is not denied.`,
        remedy: `Correct it with ${editing(path)}; \`claude doctor\` shows what it reads.`,
        stops: [],
      },
    ];
  }
  const override = credential === null ? null : findOverride(text, PAYS);
  if (override === null || override === `env.${credential}`) return [];
  return [
    {
      problem: `\`${override}\` in ${path} decides who pays, and the environment of the runner has ${credential}: records name the latter.`,
      remedy: `Take one of them away: \`${override}\` there, or ${credential} here.`,
      stops: [],
    },
  ];
}
