import { defineConfig } from 'drizzle-kit';

/** `npx drizzle-kit generate` writes the next migration from the difference to the last one. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './workers/db/schema.ts',
  out: './migrations',
});
