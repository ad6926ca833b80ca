import { z } from 'zod';
import { editing, IN_EVERY_MODE, parseSettings, type SettingsFinding } from '../settings.ts';

const settings = z.object({
  security: z.object({
    disableYoloMode: z.unknown().optional(),
    auth: z.object({ enforcedType: z.string().optional().catch(undefined) }).optional(),
  }),
});

/**
 * What gemini's own settings mean for a launch: it begins with none that it cannot read, nor in a
 * mode that they rule out, nor by another login than they enforce (each seen on 0.61.0). `login` is
 * the method that it would use; null for none.
 */
export function decideSettings(
  path: string,
  text: string,
  login: string | null,
): SettingsFinding[] {
  if (text === '') return [];
  const stop = (problem: string, remedy: string, stops = IN_EVERY_MODE): SettingsFinding[] => [
    { problem, remedy: `${remedy}, then look again.`, stops },
  ];
  const parsed = parseSettings(text);
  if ('broken' in parsed)
    return stop(
      `${path} is no JSON (${parsed.broken}), so gemini does not begin.`,
      `Correct it with ${editing(path)}`,
    );
  // What has another form than it takes, gemini tells and does without.
  const security = settings.safeParse(parsed.value).data?.security;
  const enforced = security?.auth?.enforcedType;
  if (enforced !== undefined && login !== null && enforced !== login)
    return stop(
      `${path} enforces the login \`${enforced}\`, and gemini would use \`${login}\`, so it does not begin.`,
      'Log in with the former in `gemini`, or remove `security.auth.enforcedType` there',
    );
  if (security?.disableYoloMode === true)
    return stop(
      `\`security.disableYoloMode\` in ${path} keeps gemini from never asking.`,
      `Choose another approvals mode, or remove it with ${editing(path)}`,
      ['bypass'],
    );
  return [];
}
