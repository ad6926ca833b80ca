import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { SurfaceOption } from '../../protocol/ceiling.ts';
import { gateDecisionPage } from '../../protocol/gate.ts';
import { madeMcpKey } from '../../protocol/mcp.ts';
import { instanceDetail } from '../../protocol/operator-http.ts';
import type { World } from './world.ts';

type Means = { tools: readonly string[]; surfaceOptions: Record<string, SurfaceOption> };

/** An operator of a person's own with every consent given, whose calls go over MCP. */
export class McpOperator {
  readonly instanceId: string;
  readonly #world: World;
  readonly #mcp: Client;

  private constructor(world: World, instanceId: string, mcp: Client) {
    this.#world = world;
    this.instanceId = instanceId;
    this.#mcp = mcp;
  }

  static async make(world: World, ceiling: Means): Promise<McpOperator> {
    const named = { name: 'Starter', instructions: 'Start what is wanted.', brain: null };
    writeFileSync(join(world.home, 'starter.json'), JSON.stringify({ ...named, ceiling }));
    await world.cli('operators', 'publish', join(world.home, 'starter.json'));
    const { instance } = await world.json(instanceDetail, 'operators', 'make', 'Starter');
    const all = ['--read', 'always', '--send', 'always', '--run', 'always', '--kill', 'always'];
    await world.cli('operators', 'consent', instance.id, ...all);
    const shape = z.object({ ...madeMcpKey.shape, url: z.string() });
    const key = await world.json(shape, 'mcp', 'keys', 'make', '--instance', instance.id);
    const mcp = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${key.token}` };
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(key.url), { requestInit: { headers } }),
    );
    return new McpOperator(world, instance.id, mcp);
  }

  close(): Promise<void> {
    return this.#mcp.close();
  }

  async call(name: string, input: Record<string, unknown>) {
    const result = await this.#mcp.callTool({ name, arguments: input });
    const [first] = z.array(z.object({ text: z.string() })).parse(result.content);
    return { text: first?.text ?? '', failed: result.isError === true };
  }

  /** Every decision on record, newest first. */
  async decisions() {
    const path = `/v1/instances/${this.instanceId}/decisions`;
    return (await this.#world.get(gateDecisionPage, path)).items;
  }
}
