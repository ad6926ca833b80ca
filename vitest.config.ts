import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'protocol', include: ['test/protocol/**/*.test.ts'] } },
      { test: { name: 'runner', include: ['test/runner/**/*.test.ts'], testTimeout: 20_000 } },
    ],
  },
});
