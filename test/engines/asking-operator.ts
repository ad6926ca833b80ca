import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gateRequestList } from '../../protocol/gate.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { McpOperator } from '../e2e/mcp-operator.ts';
import { claudeArgv } from '../support/claude-pane.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import type { Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

/**
 * An operator that starts the real claude in a terminal, over the whole product: what claude asks is
 * answered over HTTP.
 */
export class AskingOperator {
  readonly world: ClaudeWorld;
  /** Where its claude works. */
  readonly work: string;
  /** For what a loaded machine takes its time to. */
  readonly long: { withinMs: number; tell: () => string };
  readonly #operator: McpOperator;

  private constructor(world: ClaudeWorld, work: string, operator: McpOperator) {
    this.world = world;
    this.work = work;
    this.#operator = operator;
    this.long = { withinMs: 60_000, tell: () => world.tell().slice(-1_500) };
  }

  /** `limits` is what limits.toml says of terminals. */
  static async start(
    script: Script,
    { limits, ...means }: { limits: string } & Parameters<typeof McpOperator.make>[1],
  ): Promise<AskingOperator> {
    const world = await ClaudeWorld.start(script, CANARY_KEY);
    world.writeLimits(`[terminal]\n${limits}`);
    const work = join(world.home, 'work');
    mkdirSync(work);
    return new AskingOperator(world, work, await McpOperator.make(world, means));
  }

  async stop(): Promise<void> {
    await this.#operator.close();
    await this.world.stop();
  }

  get instanceId(): string {
    return this.#operator.instanceId;
  }

  /** The command line of a claude in `work` that is told `words`. */
  claude(...words: string[]): string[] {
    return claudeArgv(this.world.home, this.work, this.world.api.url, words);
  }

  call(name: string, input: Record<string, unknown>) {
    return this.#operator.call(name, input);
  }

  decisions() {
    return this.#operator.decisions();
  }

  /** What agents ask now. */
  async requests() {
    const { items } = await this.world.get(gateRequestList, '/v1/gate/requests');
    return items.filter(({ tool }) => tool === 'agent_permission');
  }

  /** The question in which a name is. */
  asked(name: string) {
    return until(
      `the question of ${name}`,
      async () =>
        (await this.requests()).find(({ params }) => JSON.stringify(params).includes(name)),
      this.long,
    );
  }

  answer(callId: string, said: string) {
    const path = `/v1/instances/${this.instanceId}/calls/${callId}/answer`;
    return this.world.call(path, { answer: said });
  }

  closedAs(callId: string, explanation: RegExp) {
    return until(
      `${callId} to be ${explanation}`,
      async () =>
        (await this.decisions()).find(
          (each) => each.callId === callId && explanation.test(each.explanation),
        ),
      this.long,
    );
  }
}
