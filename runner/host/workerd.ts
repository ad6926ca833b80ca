import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PRODUCT_ROOT } from './layout.ts';

/**
 * Environment that makes Miniflare start workerd through our guard (`workerd.sh`): Miniflare
 * takes the executable from `MINIFLARE_WORKERD_PATH`. It looks for no location of this machine
 * and reports nothing to anybody.
 */
export function workerdEnvironment(pidFile: string): Record<string, string> {
  return {
    MINIFLARE_WORKERD_PATH: join(PRODUCT_ROOT, 'runner', 'host', 'workerd.sh'),
    PILOTHOUSE_WORKERD: workerdExecutable(),
    PILOTHOUSE_WORKERD_PID_FILE: pidFile,
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
  };
}

/** The workerd that the installed Miniflare was released with. */
function workerdExecutable(): string {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  const found: unknown = fromMiniflare('workerd');
  const path =
    typeof found === 'object' && found !== null && 'default' in found ? found.default : found;
  if (typeof path !== 'string') throw new TypeError('the workerd package names no executable');
  return path;
}
