import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { startMockServer } from '../../../console/mock/server.ts';
import type { MockWorld } from '../../../console/mock/world.ts';
import { buildParts, CONSOLE_PART, outputOf } from '../../../runner/host/build.ts';
import { PRODUCT_ROOT } from '../../../runner/host/layout.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The built console before a stand-in world, on one address as the product serves both. */
export async function startStand(world: MockWorld) {
  await buildParts(PRODUCT_ROOT, [CONSOLE_PART]);
  const build = outputOf(PRODUCT_ROOT, CONSOLE_PART);
  return startMockServer(world, 0, (path, response) => {
    const wanted = join(build, path);
    const file = path !== '/' && existsSync(wanted) ? wanted : join(build, 'index.html');
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' });
    response.end(readFileSync(file));
    return true;
  });
}
