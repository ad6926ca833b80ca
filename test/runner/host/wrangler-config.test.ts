import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { miniflareOptionsOf, parseWranglerConfig } from '../../../runner/host/wrangler-config.ts';

describe('the configuration of the embedded Worker', () => {
  const text = readFileSync('wrangler.toml', 'utf8');

  it('is what wrangler itself makes of wrangler.toml', () => {
    const ours = miniflareOptionsOf(parseWranglerConfig(text));
    const { workerOptions } = unstable_getMiniflareWorkerOptions('wrangler.toml');
    // The rest of wrangler's answer is empty; the host names the directory of the assets.
    const theirs: Record<string, unknown> = JSON.parse(
      JSON.stringify({
        ...workerOptions,
        assets: { ...Object(Object(workerOptions)['assets']), directory: undefined },
      }),
    );
    expect(Object.keys(ours).length).toBeGreaterThan(5);
    for (const [key, value] of Object.entries(ours))
      expect({ [key]: value }).toEqual({ [key]: theirs[key] });
  });

  it('knows every binding that wrangler finds', () => {
    const ours = miniflareOptionsOf(parseWranglerConfig(text));
    const { workerOptions } = unstable_getMiniflareWorkerOptions('wrangler.toml');
    const filled = Object.entries(workerOptions).filter(
      ([key, value]) =>
        typeof value === 'object' &&
        !['modulesRules', 'email'].includes(key) &&
        Object.keys(Object(value)).length > 0,
    );
    expect(filled.map(([key]) => key).filter((key) => !(key in ours))).toEqual([]);
  });

  it('refuses a kind of binding that it does not know', () => {
    expect(() =>
      parseWranglerConfig(`${text}\n[[queues.producers]]\nbinding = "Q"\nqueue = "q"\n`),
    ).toThrow(/queues/);
  });
});
