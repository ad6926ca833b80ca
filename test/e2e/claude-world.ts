import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { claudeEnv } from '../support/model-api/raw-claude.ts';
import type { Script } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { World } from './world.ts';

/** A person's machine with the real claude and a model API on loopback. */
export class ClaudeWorld extends World {
  readonly api: ModelApi;
  /** The person's own configuration. */
  readonly ownFiles = [join(this.home, '.claude', 'settings.json')] as const;

  private constructor(
    api: ModelApi,
    apiKey: string | null,
    executable: string,
    more: Record<string, string>,
  ) {
    super((home) => ({
      ...claudeEnv(home, api.url, apiKey),
      ...more,
      PILOTHOUSE_CLAUDE: executable,
      // A refusal is told in seconds as it would be in minutes.
      CLAUDE_CODE_MAX_RETRIES: '1',
    }));
    this.api = api;
    mkdirSync(join(this.home, '.claude'));
    writeFileSync(this.ownFiles[0], '{ "theme": "light" }\n');
  }

  /** `apiKey: null` is a machine on which nobody has logged in. */
  static async start(
    script: Script,
    apiKey: string | null,
    executable = installEngine('claude'),
    more: Record<string, string> = {},
  ): Promise<ClaudeWorld> {
    const world = new ClaudeWorld(await startModelApi(script), apiKey, executable, more);
    await world.up();
    return world;
  }

  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('claude', objective, ...options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.api.close();
  }
}
