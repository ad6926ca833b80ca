import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { madeMcpKey } from '../../protocol/mcp.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld, codexConfig } from '../e2e/codex-world.ts';
import type { World } from '../e2e/world.ts';
import { CANARY_KEY, claudeEnv } from '../support/model-api/raw-claude.ts';
import type { Script } from '../support/model-api/script.ts';

const run = promisify(execFile);

/** A key as the command line makes it, with the address that it is for. */
const keyWithUrl = z.object({ ...madeMcpKey.shape, url: z.string() });
type Key = z.infer<typeof keyWithUrl>;

/** Makes a key as a person would; `options` say what it opens. */
export const makeKey = (on: World, ...options: string[]): Promise<Key> =>
  on.json(keyWithUrl, 'mcp', 'keys', 'make', ...options);

/** A real program on a person's machine that holds a key of ours, and whose model plays a script. */
export type McpClient = {
  world: World;
  /** Asks it one thing, and resolves with what it printed when it has ended. */
  ask(key: Key, asked: string): Promise<string>;
  /** Every request that reached its model so far, as JSON, oldest first. */
  told(): string[];
};

/** What a program is, and how its model names one of our tools. */
type Kind = { start(script: Script): Promise<McpClient>; tool(name: string): string };

const toldTo = (seen: readonly { request: unknown }[]) =>
  seen.flatMap(({ request }) => (request === null ? [] : [JSON.stringify(request)]));

async function startClaude(script: Script): Promise<McpClient> {
  const world = await ClaudeWorld.start(script, CANARY_KEY);
  const config = join(world.home, 'mcp.json');
  return {
    world,
    told: () => toldTo(world.api.seen),
    async ask({ url, token }, asked) {
      const headers = { Authorization: 'Bearer ${PILOTHOUSE_MCP_KEY}' };
      const mcpServers = { pilothouse: { type: 'http', url, headers } };
      writeFileSync(config, JSON.stringify({ mcpServers }));
      const args = ['--mcp-config', config, '--allowedTools', 'mcp__pilothouse'];
      const env = { ...claudeEnv(world.home, world.api.url), PILOTHOUSE_MCP_KEY: token };
      const child = run(
        installEngine('claude'),
        ['-p', asked, ...args, '--output-format', 'json'],
        { cwd: world.repository, env },
      );
      child.child.stdin?.end();
      return (await child).stdout;
    },
  };
}

async function startCodex(script: Script): Promise<McpClient> {
  const world = await CodexWorld.start(script, CANARY_KEY);
  return {
    world,
    told: () => toldTo(world.api.seen),
    async ask({ url, token }, asked) {
      const server = `\n[mcp_servers.pilothouse]\nurl = "${url}"\nbearer_token_env_var = "PILOTHOUSE_MCP_KEY"\ndefault_tools_approval_mode = "approve"\n`;
      writeFileSync(world.ownFiles[0], codexConfig(world.api.url) + server);
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: world.home,
        CODEX_HOME: join(world.home, '.codex'),
        OPENAI_API_KEY: CANARY_KEY,
        PILOTHOUSE_MCP_KEY: token,
      };
      const args = ['exec', '--model', 'gpt-5.5', '--dangerously-bypass-approvals-and-sandbox'];
      const child = run(installEngine('codex'), [...args, asked], { cwd: world.repository, env });
      child.child.stdin?.end();
      return (await child).stdout;
    },
  };
}

/** The programs that are proven as clients. */
export const MCP_CLIENTS: Readonly<Record<'claude' | 'codex', Kind>> = {
  claude: { start: startClaude, tool: (name) => `mcp__pilothouse__${name}` },
  codex: { start: startCodex, tool: (name) => `mcp__pilothouse.${name}` },
};
