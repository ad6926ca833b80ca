import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Where the API is while developing: an instance that runs, or the stand-in of `mock/`. */
const api = process.env['PILOTHOUSE_API'] ?? 'http://127.0.0.1:4801';

/** Names the files that are kept for when the server is out of reach, by all that is in them. */
function hashShell(): string {
  const files = join(import.meta.dirname, 'public');
  const hash = createHash('sha256');
  for (const name of readdirSync(files).toSorted())
    hash.update(name).update(readFileSync(join(files, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Writes that name into the worker that keeps them: another build is another worker to a browser. */
function nameShell(): Plugin {
  return {
    name: 'pilothouse-shell',
    apply: 'build',
    writeBundle({ dir }) {
      const worker = join(dir ?? '', 'sw.js');
      writeFileSync(worker, readFileSync(worker, 'utf8').replace('__SHELL__', hashShell()));
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), nameShell()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // A module that is preloaded by script would need an inline one; browsers of the target do it.
    modulePreload: { polyfill: false },
    // Everything is a file of its own: the content policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: api, ws: true, changeOrigin: true, headers: { origin: api } } },
  },
});
