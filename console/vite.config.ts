import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** Where the API is while developing: an instance that runs, or the stand-in of `mock/`. */
const api = process.env['PILOTHOUSE_API'] ?? 'http://127.0.0.1:4801';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
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
