import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEngine } from '../../tools/engines/install.ts';
import { startResponsesApi, type ResponsesApi } from '../support/model-api/responses.ts';
import type { Script } from '../support/model-api/script.ts';
import { World } from './world.ts';

/**
 * Few retries, so that a failure is told in seconds as it would be in minutes; and subagents, which
 * the model of the tests is offered only where the person wants them.
 */
export const codexConfig = (url: string): string => `model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 2

[features]
multi_agent_v2 = true
`;

/** A person's machine with the real codex, configured for a model API on loopback. */
export class CodexWorld extends World {
  readonly api: ResponsesApi;
  /** The person's own configuration. */
  readonly ownFiles = [join(this.home, '.codex', 'config.toml')] as const;

  private constructor(api: ResponsesApi, apiKey: string | null) {
    super((home) => ({
      // Its own default would be the same; a runner inside a test must not see another one.
      CODEX_HOME: join(home, '.codex'),
      PILOTHOUSE_CODEX: installEngine('codex'),
      ...(apiKey !== null && { OPENAI_API_KEY: apiKey }),
    }));
    this.api = api;
    mkdirSync(join(this.home, '.codex'));
    writeFileSync(this.ownFiles[0], codexConfig(api.url));
    this.writeLimits('bypass = true');
  }

  /** `apiKey: null` is a machine on which nobody has logged in. */
  static async start(script: Script, apiKey: string | null): Promise<CodexWorld> {
    const world = new CodexWorld(await startResponsesApi(script), apiKey);
    await world.up();
    return world;
  }

  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('codex', objective, '--model', 'gpt-5.5', ...options);
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.api.close();
  }
}
