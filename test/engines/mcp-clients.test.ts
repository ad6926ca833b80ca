import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { gateDecisionPage } from '../../protocol/gate.ts';
import { instanceDetail } from '../../protocol/operator-http.ts';
import type { World } from '../e2e/world.ts';
import { calls, says } from '../support/model-api/script.ts';
import { makeKey, MCP_CLIENTS, type McpClient } from './mcp-clients.ts';

let client: McpClient | undefined;
afterEach(() => client?.world.stop());

/** A key of an operator on this machine, whose own tmux is open to it. */
async function keyOfOperator(on: World) {
  on.writeLimits('bypass = true\n[terminal]\nbackends = ["tmux"]');
  const body = {
    name: 'Looker',
    instructions: 'Look.',
    ceiling: {
      tools: ['tmux_list_sessions'],
      surfaceOptions: { tmux: { backends: ['tmux'], targets: 'any', prefix: null } },
    },
    brain: null,
  };
  const file = join(on.home, 'looker.json');
  writeFileSync(file, JSON.stringify(body));
  await on.cli('operators', 'publish', file);
  const made = await on.json(instanceDetail, 'operators', 'make', 'Looker');
  const { id } = made.instance;
  return { id, key: await makeKey(on, '--instance', id) };
}

it.each(['claude', 'codex'] as const)(
  'serves the real %s: its call goes through the gate to the machine and back',
  async (program) => {
    const { start, tool } = MCP_CLIENTS[program];
    client = await start({
      'look at my tmux': [calls(tool('tmux_list_sessions'), {}), says('I looked.')],
    });
    const { world } = client;
    const { id, key } = await keyOfOperator(world);
    expect(await client.ask(key, 'look at my tmux')).toContain('I looked.');
    expect(client.told().at(-1)).toContain('sessions');
    const decisions = await world.get(gateDecisionPage, `/v1/instances/${id}/decisions`);
    expect(decisions.items).toMatchObject([
      {
        tool: 'tmux_list_sessions',
        effect: 'allow',
        outcome: 'done',
        actor: { id: key.key.keyId },
      },
    ]);
  },
);
