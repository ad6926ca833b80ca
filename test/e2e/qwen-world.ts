import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { startChatApi, type ChatApi } from '../support/model-api/chat-api.ts';
import type { Script } from '../support/model-api/script.ts';
import { World } from './world.ts';

/** The false key of the tests: a canary that must turn up nowhere. */
export const QWEN_CANARY = 'sk-canary-qwen-0d94be17f26a';

/** One whose price is known: those of Qwen's own models depend on who sells them. */
const MODEL = 'gpt-5.4-mini';

/** As a person's own. It writes the version of their form into settings that lack it. */
export const qwenSettings = {
  security: { auth: { selectedType: 'openai' } },
  // After seven attempts it would begin anew ten times, a minute and more apart.
  model: { name: MODEL, generationConfig: { maxRetries: 0 } },
  $version: 4,
};

/** A person's machine with the real qwen and a model API on loopback. */
export class QwenWorld extends World {
  readonly api: ChatApi;
  readonly own = join(this.home, '.qwen');
  /** The person's own configuration. */
  readonly ownFiles = [join(this.own, 'settings.json')] as const;

  private constructor(api: ChatApi) {
    super((home) => ({
      HOME: home,
      OPENAI_API_KEY: QWEN_CANARY,
      OPENAI_BASE_URL: `${api.url}/v1`,
      PILOTHOUSE_QWEN: installEngine('qwen'),
    }));
    this.api = api;
    mkdirSync(this.own);
    writeFileSync(this.ownFiles[0], `${JSON.stringify(qwenSettings, null, 2)}\n`);
    this.writeLimits('bypass = true');
  }

  static async start(script: Script): Promise<QwenWorld> {
    const world = new QwenWorld(await startChatApi(script));
    await world.up();
    return world;
  }

  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('qwen', objective, ...options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.api.close();
  }
}
