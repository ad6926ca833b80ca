import { parse } from 'smol-toml';
import { z } from 'zod';
import { messageOf } from '../../failure.ts';
import type { LoginAnswer } from '../preflight.ts';
import { editing, IN_EVERY_MODE, type SettingsFinding } from '../settings.ts';

const known = z.looseObject({
  model: z.string().optional(),
  model_provider: z.string().optional(),
  forced_login_method: z.string().optional(),
});

/**
 * What `config.toml` means for a launch: codex begins with none that it cannot read, or that still
 * chooses a profile in the way of older versions (seen on 0.171.0).
 */
export function decideSettings(path: string, text: string): SettingsFinding[] {
  let config: Record<string, unknown>;
  try {
    config = parse(text);
  } catch (error) {
    const [why = ''] = messageOf(error).split('\n');
    return [stops(`${path} is no TOML (${why})`, `Correct it with ${editing(path)}`)];
  }
  const wrong = known.safeParse(config).error?.issues[0];
  if (wrong)
    return [
      stops(
        `\`${wrong.path.join('.')}\` in ${path} is no text`,
        `Correct it with ${editing(path)}`,
      ),
    ];
  if (typeof config['profile'] === 'string')
    return [
      stops(
        `${path} chooses a profile with \`profile\`, which codex no longer takes`,
        `Write what the profile says in its place with ${editing(path)}`,
      ),
    ];
  return [];
}

const stops = (problem: string, remedy: string): SettingsFinding => ({
  problem: `${problem}, so codex does not begin.`,
  remedy: `${remedy}, then look again.`,
  stops: IN_EVERY_MODE,
});

/**
 * A login that the configuration does not allow: codex would not only refuse it but log out
 * (`forced_login_method`, seen on 0.171.0). Any other is as it was.
 */
export function decideForced(path: string, text: string, login: LoginAnswer): LoginAnswer {
  if (login.kind !== 'found') return login;
  const forced = forcedOf(text);
  const wanted = { chatgpt: 'subscription', api: 'api-key' } as const;
  if (forced === null || wanted[forced] === login.payer) return login;
  return {
    kind: 'missing',
    because: 'settings',
    problem: `${path} allows only the login \`${forced}\`, and codex would work with ${login.credential ?? 'another'}: it would log out instead.`,
    remedy: `Remove \`forced_login_method\` from ${path}, or give codex the login that it names: \`codex login\`.`,
  };
}

function forcedOf(text: string): 'chatgpt' | 'api' | null {
  try {
    const { forced_login_method: forced } = parse(text);
    return forced === 'chatgpt' || forced === 'api' ? forced : null;
  } catch {
    // A broken file is a finding of its own.
    return null;
  }
}
