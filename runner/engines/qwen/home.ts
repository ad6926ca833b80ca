import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PRODUCT_ROOT } from '../../host/layout.ts';
import { homeOf } from '../../home.ts';
import { readSettings } from '../settings.ts';
import { parseOwnSettings, type OwnSettings } from './settings.ts';

/** Where qwen has its settings, its conversations and a file of variables. */
export function qwenHome(env: NodeJS.ProcessEnv): string {
  const chosen = env['QWEN_HOME'];
  if (!chosen) return join(homeOf(env), '.qwen');
  return /^~(?=$|\/)/.test(chosen) ? join(homeOf(env), chosen.slice(1)) : resolve(chosen);
}

/** The files of variables that qwen reads for itself. */
export const variableFiles = (env: NodeJS.ProcessEnv): string[] => [
  join(qwenHome(env), '.env'),
  join(homeOf(env), '.env'),
];

export const settingsPath = (env: NodeJS.ProcessEnv): string =>
  join(qwenHome(env), 'settings.json');

export const ownSettings = (env: NodeJS.ProcessEnv): OwnSettings =>
  parseOwnSettings(readSettings(settingsPath(env)) ?? '');

/** What holds in every session of ours, whatever a person's settings say. */
export const SESSION_SETTINGS = join(PRODUCT_ROOT, 'runner/engines/qwen/settings-of-sessions.json');

/** Where whoever runs the machine may have settings for everybody. Source: qwen 0.24.4. */
const SYSTEM_SETTINGS =
  process.platform === 'darwin'
    ? '/Library/Application Support/QwenCode/settings.json'
    : '/etc/qwen-code/settings.json';

/** The settings of whoever runs the machine, whose place ours would take; null for none. */
export function systemSettingsOf(env: NodeJS.ProcessEnv): string | null {
  const chosen = env['QWEN_CODE_SYSTEM_SETTINGS_PATH'];
  if (chosen) return chosen;
  return existsSync(SYSTEM_SETTINGS) ? SYSTEM_SETTINGS : null;
}
