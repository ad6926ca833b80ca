import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

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

/** What is loaded first, and what it loads once the libraries are told how to behave. */
const MAIN = join(import.meta.dirname, 'main.tsx');
const APP = join(import.meta.dirname, 'app.tsx');

/** Every module that comes along with one, itself among them. */
function listImported(entry: string, ask: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([entry]);
  for (const id of found)
    for (const next of ask.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/**
 * The files of the first visit: what both need, and all else. A browser asks one address for six things
 * at a time, and what many pages share would else be in forty files of a few hundred bytes, each
 * waiting for its turn. What is loaded first is in neither: it waits for the second.
 */
const FIRST_VISIT = [
  { name: 'base', priority: 2, entry: MAIN },
  { name: 'shared', priority: 1, entry: APP },
].map(({ name, priority, entry }) => {
  let modules: Set<string> | null = null;
  const nameOf = (id: string, ask: Rolldown.ChunkingContext) => {
    modules ??= listImported(entry, ask);
    return id !== entry && modules.has(id) ? name : null;
  };
  return { name: nameOf, debugName: name, priority };
});

/** Names in the page what the console is, so that it is asked for before what loads it has run. */
function preloadApp(): Plugin {
  return {
    name: 'pilothouse-preload-app',
    apply: 'build',
    transformIndexHtml: (_html, { bundle }) => {
      const app = Object.values(bundle ?? {}).find(
        (file) => file.type === 'chunk' && file.facadeModuleId === APP,
      );
      if (app?.type !== 'chunk') throw new Error('the build has no file that is app.tsx');
      const files = [app.fileName, ...app.imports].map((name) => `/${name}`);
      return files.map((href) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href },
        injectTo: 'head',
      }));
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), nameShell(), preloadApp()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    target: 'es2023',
    // A module that is preloaded by script would need an inline one; browsers of the target do it.
    modulePreload: { polyfill: false },
    // Everything is a file of its own: the content policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: FIRST_VISIT } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: api, ws: true, changeOrigin: true, headers: { origin: api } } },
  },
});
