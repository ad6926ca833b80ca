import { z } from 'zod';
import {
  editing,
  IN_EVERY_MODE,
  parseSettings,
  readSettings,
  type SettingsFinding,
} from '../settings.ts';

const shares = z.object({ share: z.literal('auto') });

/**
 * What opencode's own configuration means for a launch: it begins with none that it cannot read
 * (seen on 1.18.33), and publishes each conversation where `share` says so.
 */
export function lookAtSettings(paths: readonly string[]): SettingsFinding[] {
  return paths.flatMap((path): SettingsFinding[] => {
    const text = readSettings(path);
    if (text === null || text.trim() === '') return [];
    const parsed = parseSettings(text);
    if ('broken' in parsed)
      return [
        {
          problem: `${path} is no JSON (${parsed.broken}), so opencode does not begin.`,
          remedy: `Correct it with ${editing(path)}, then look again.`,
          stops: IN_EVERY_MODE,
        },
      ];
    if (!shares.safeParse(parsed.value).success) return [];
    return [
      {
        problem: `\`share\` in ${path} is \`auto\`: opencode publishes each conversation on a page of its maker’s.`,
        remedy: `Remove it with ${editing(path)}, or write \`"share": "disabled"\` there.`,
        stops: [],
      },
    ];
  });
}
