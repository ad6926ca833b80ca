import { PilothouseError } from '../../../protocol/errors.ts';
import type { App } from '../context.ts';

/** Everything that is not the API is the console: its files, or its page for a path of its own. */
export function registerConsoleFiles(app: App): void {
  app.all('/v1/*', () => {
    throw new PilothouseError('not_found');
  });
  app.get('*', async (context) => {
    if (!context.env.ASSETS)
      throw new PilothouseError('not_found', { detail: 'no console was built' });
    return context.env.ASSETS.fetch(context.req.raw);
  });
}
