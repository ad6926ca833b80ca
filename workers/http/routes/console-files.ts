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
    const response = await context.env.ASSETS.fetch(context.req.raw);
    // A build's own files have a hash in their name. One that is gone is gone: the console's page in
    // its place would be run as a script.
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (context.req.path.startsWith('/assets/') && isPage)
      throw new PilothouseError('not_found', { detail: 'no such file in this build' });
    return response;
  });
}
