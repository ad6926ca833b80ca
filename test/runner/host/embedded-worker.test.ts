import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BUNDLE_MANIFEST, BUNDLE_SCRIPT } from '../../../runner/host/bundle.ts';
import { startEmbeddedWorker } from '../../../runner/host/embedded-worker.ts';
import { temporaryDirectory } from './temporary.ts';

/** Fetches what it is asked to: by the way to addresses that a user named, and by its own. */
const SCRIPT = `export default { async fetch(request, env) {
  const url = new URL(request.url).searchParams.get('url');
  const by = async (send) => { try { return await (await send(url)).text(); } catch { return 'refused'; } };
  return Response.json({ outside: await by((to) => env.OUTSIDE.fetch(to)), own: await by((to) => fetch(to)) });
} };`;

it('leads nobody into this machine’s networks by an address that its user named', async () => {
  const private_ = createServer((_, response) => response.end('private')).listen(0, '127.0.0.1');
  await once(private_, 'listening');
  onTestFinished(() => void private_.close());
  const address = private_.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const bundleDirectory = temporaryDirectory();
  const assets = {
    run_worker_first: true,
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
  };
  const compatibility = { compatibilityDate: '2026-10-01', compatibilityFlags: ['nodejs_compat'] };
  const options = { ...compatibility, d1Databases: { DB: { id: 'one' } }, assets };
  writeFileSync(
    join(bundleDirectory, BUNDLE_MANIFEST),
    JSON.stringify({ options, migrations: [] }),
  );
  writeFileSync(join(bundleDirectory, BUNDLE_SCRIPT), SCRIPT);
  const worker = await startEmbeddedWorker({
    bundleDirectory,
    consoleDirectory: temporaryDirectory(),
    dataDirectory: temporaryDirectory(),
    port: 0,
    bindings: {},
    onLog: () => undefined,
    onRestart: () => undefined,
  });
  onTestFinished(() => worker.stop());
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = encodeURIComponent(`http://${host}:${port}/`);
    const answer = await fetch(`${worker.url}/?url=${url}`);
    expect(await answer.json()).toEqual({ outside: 'refused', own: 'private' });
  }
});
