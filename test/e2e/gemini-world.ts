import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { startGeminiApi, type GeminiApi } from '../support/model-api/gemini-api.ts';
import type { Script } from '../support/model-api/script.ts';
import { World } from './world.ts';

/** The false key of the tests: a canary that must turn up nowhere. */
export const GEMINI_CANARY = 'AIzaCanary-5f1e0c7a9d3b4e6288';

/** As a person's own; one attempt, because the real waits between attempts are minutes. */
export const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { maxAttempts: 1, enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
};

/** A person's machine with the real gemini and a model API on loopback. */
export class GeminiWorld extends World {
  readonly api: GeminiApi;
  readonly own = join(this.home, '.gemini');
  /** The person's own configuration. */
  readonly ownFiles = [join(this.own, 'settings.json')] as const;

  private constructor(api: GeminiApi, apiKey: string | null, attempts: 'one' | 'its own') {
    super((home) => ({
      HOME: home,
      ...(apiKey && { GEMINI_API_KEY: apiKey }),
      GOOGLE_GEMINI_BASE_URL: api.url,
      PILOTHOUSE_GEMINI: installEngine('gemini'),
    }));
    this.api = api;
    mkdirSync(this.own);
    const { maxAttempts: _, ...general } = GEMINI_SETTINGS.general;
    const settings = attempts === 'its own' ? { ...GEMINI_SETTINGS, general } : GEMINI_SETTINGS;
    writeFileSync(this.ownFiles[0], `${JSON.stringify(settings, null, 2)}\n`);
    this.writeLimits('bypass = true');
  }

  /**
   * `apiKey: null` is a machine on which nobody has logged in. By its own settings it asks ten times,
   * which takes more than three minutes to come to nothing.
   */
  static async start(
    script: Script,
    apiKey: string | null = GEMINI_CANARY,
    attempts: 'one' | 'its own' = 'one',
  ): Promise<GeminiWorld> {
    const world = new GeminiWorld(await startGeminiApi(script), apiKey, attempts);
    await world.up();
    return world;
  }

  /** Without anybody to ask, the shell is there in bypass alone. */
  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('gemini', objective, '--approvals', 'bypass', ...options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.api.close();
  }
}
