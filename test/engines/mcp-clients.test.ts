import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { gateDecisionPage } from '../../protocol/gate.ts';
import { madeMcpKey } from '../../protocol/mcp.ts';
import { instanceDetail } from '../../protocol/operator-http.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld, codexConfig } from '../e2e/codex-world.ts';
import type { World } from '../e2e/world.ts';
import { CANARY_KEY, claudeEnv } from '../support/model-api/raw-claude.ts';
import { calls, says } from '../support/model-api/script.ts';

const run = promisify(execFile);
let world: ClaudeWorld | CodexWorld;
afterEach(() => world?.stop());

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
  const key = z.object({ ...madeMcpKey.shape, url: z.string() });
  return { id, ...(await on.json(key, 'mcp', 'keys', 'make', '--instance', id)) };
}

const decisionsOf = async (on: World, id: string) =>
  (await on.get(gateDecisionPage, `/v1/instances/${id}/decisions`)).items;

it('serves the real claude: its call goes through the gate to the machine and back', async () => {
  world = await ClaudeWorld.start(
    {
      'look at my tmux': [calls('mcp__pilothouse__tmux_list_sessions', {}), says('I looked.')],
    },
    CANARY_KEY,
  );
  const { id, token, url, key } = await keyOfOperator(world);
  const headers = { Authorization: 'Bearer ${PILOTHOUSE_MCP_KEY}' };
  const config = join(world.home, 'mcp.json');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { pilothouse: { type: 'http', url, headers } } }),
  );
  const args = ['--mcp-config', config, '--allowedTools', 'mcp__pilothouse__tmux_list_sessions'];
  const asked = ['-p', 'look at my tmux', ...args, '--output-format', 'json'];
  const env = { ...claudeEnv(world.home, world.api.url), PILOTHOUSE_MCP_KEY: token };
  const child = run(installEngine('claude'), asked, { cwd: world.repository, env });
  child.child.stdin?.end();
  expect((await child).stdout).toContain('I looked.');
  expect(JSON.stringify(world.api.seen.at(-1)?.request)).toContain('sessions');
  expect(await decisionsOf(world, id)).toMatchObject([
    { tool: 'tmux_list_sessions', effect: 'allow', outcome: 'done', actor: { id: key.keyId } },
  ]);
});

it('serves the real codex: its call goes through the gate to the machine and back', async () => {
  world = await CodexWorld.start(
    { 'look at my tmux': [calls('mcp__pilothouse.tmux_list_sessions', {}), says('I looked.')] },
    CANARY_KEY,
  );
  const { id, token, url, key } = await keyOfOperator(world);
  const server = `\n[mcp_servers.pilothouse]\nurl = "${url}"\nbearer_token_env_var = "PILOTHOUSE_MCP_KEY"\ndefault_tools_approval_mode = "approve"\n`;
  writeFileSync(world.ownFiles[0], codexConfig(world.api.url) + server);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: world.home,
    CODEX_HOME: join(world.home, '.codex'),
    OPENAI_API_KEY: CANARY_KEY,
    PILOTHOUSE_MCP_KEY: token,
  };
  const asked = ['exec', '--model', 'gpt-5.5', '--dangerously-bypass-approvals-and-sandbox'];
  const child = run(installEngine('codex'), [...asked, 'look at my tmux'], {
    cwd: world.repository,
    env,
  });
  child.child.stdin?.end();
  expect((await child).stdout).toContain('I looked.');
  expect(await decisionsOf(world, id)).toMatchObject([
    { tool: 'tmux_list_sessions', effect: 'allow', outcome: 'done', actor: { id: key.keyId } },
  ]);
});
