import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import type { Script } from '../support/model-api/script.ts';
import { World } from './world.ts';

/** The false key of the tests: a canary that must turn up nowhere. */
export const OPENCODE_CANARY = 'sk-ant-canary-51c09b7e42d84f6a';

const MODEL = 'claude-opus-5-5';

/** As a person's own, with the prices by which the loopback API's bill is made. */
export const opencodeConfig = (url: string) => ({
  // It writes this line into a configuration that lacks it, also when it is run by hand.
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  model: `anthropic/${MODEL}`,
  small_model: `anthropic/${MODEL}`,
  enabled_providers: ['anthropic'],
  provider: {
    anthropic: {
      options: { baseURL: `${url}/v1`, apiKey: '{env:ANTHROPIC_API_KEY}' },
      models: {
        [MODEL]: {
          name: 'Opus',
          limit: { context: 200_000, output: 8_000 },
          cost: { input: 4, output: 20, cache_read: 0.2, cache_write: 5 },
        },
      },
    },
  },
});

/** It would look for updates, models and language servers in the network. */
export const OPENCODE_QUIET = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
} as const;

/** A person's machine with the real opencode, configured for a model API on loopback. */
export class OpencodeWorld extends World {
  readonly api: ModelApi;
  /** The person's own configuration. */
  readonly ownFiles = [join(this.home, '.config', 'opencode', 'opencode.json')] as const;

  private constructor(api: ModelApi) {
    super((home) => ({
      HOME: home,
      ANTHROPIC_API_KEY: OPENCODE_CANARY,
      PILOTHOUSE_OPENCODE: installEngine('opencode'),
      ...OPENCODE_QUIET,
    }));
    this.api = api;
    mkdirSync(dirname(this.ownFiles[0]), { recursive: true });
    writeFileSync(this.ownFiles[0], JSON.stringify(opencodeConfig(api.url)));
    this.writeLimits('bypass = true');
  }

  static async start(script: Script): Promise<OpencodeWorld> {
    const world = new OpencodeWorld(await startModelApi(script));
    await world.up();
    return world;
  }

  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('opencode', objective, ...options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.api.close();
  }
}
