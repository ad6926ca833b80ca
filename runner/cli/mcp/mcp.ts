import { type Command, Option } from 'commander';
import { MCP_PATH, MCP_SCOPES, type McpKey, type McpScope } from '../../../protocol/mcp.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { findInstance } from '../operators/find.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

type MakeOptions = ConnectionOptions & { name: string; instance?: string; scope?: McpScope[] };

const ABOUT = `
Give either --instance, for the tools of one operator at its terminal, or --scope, for the control
plane: read looks, write talks to sessions, runtime launches them, destructive stops them.

Examples:
  pilothouse mcp keys make --instance "build watcher" --name "my agent"
  pilothouse mcp keys make --scope read write --name supervisor`;

/** `pilothouse mcp keys …`: keys with which MCP clients come. */
export function addMcp(program: Command): void {
  const mcp = program.command('mcp').description('let MCP clients use operators and sessions');
  const keys = mcp.command('keys').description('make, list and revoke keys of MCP clients');
  withConnection(keys.command('make'))
    .description('make a key, shown once')
    .option('--name <name>', 'who uses it', 'MCP client')
    .option('--instance <instance>', 'an instance of an operator: its id or name')
    .addOption(new Option('--scope <scopes...>', 'what of the control plane').choices(MCP_SCOPES))
    .addHelpText('after', ABOUT)
    .action(runMake);
  withConnection(keys.command('list'))
    .description('list keys, newest first, without their secrets')
    .action(async (options: ConnectionOptions) => {
      const items = await connect(options, process.env).api.listMcpKeys();
      print(options.json, { items }, () => describeKeys(items, Date.now()));
    });
  withConnection(keys.command('revoke'))
    .description('make a key worthless, for good')
    .argument('<key>', 'id of the key')
    .action(async (keyId: string, options: ConnectionOptions) => {
      await connect(options, process.env).api.revokeMcpKey(keyId);
      print(options.json, { revoked: [keyId] }, () => `Revoked: ${keyId}.`);
    });
}

async function runMake({ name, instance, scope, ...options }: MakeOptions): Promise<void> {
  if ((instance === undefined) === (scope === undefined))
    throw new Failure(EXIT.usage, 'usage', 'Give either --instance or --scope.');
  const { api, url } = connect(options, process.env);
  const of = instance === undefined ? null : (await findInstance(api, instance)).instance.id;
  const made = await api.makeMcpKey({ name, instanceId: of, scopes: scope ?? [] });
  const address = new URL(MCP_PATH, url).href;
  print(options.json, { ...made, url: address }, () =>
    [
      made.token,
      '',
      'This key is shown once. Keep it in a variable, PILOTHOUSE_MCP_KEY, and add the server:',
      '',
      `  claude mcp add --transport http pilothouse ${address} --header "Authorization: Bearer $PILOTHOUSE_MCP_KEY"`,
      '',
      '  # codex, in ~/.codex/config.toml',
      '  [mcp_servers.pilothouse]',
      `  url = "${address}"`,
      '  bearer_token_env_var = "PILOTHOUSE_MCP_KEY"',
      '',
      `Take it back with: pilothouse mcp keys revoke ${made.key.keyId}`,
    ].join('\n'),
  );
}

function describeKeys(keys: readonly McpKey[], nowMs: number): string {
  if (keys.length === 0) return 'No key was made. Make one with: pilothouse mcp keys make';
  const ago = (at: number | null) => (at === null ? 'never' : formatAgo(at, nowMs));
  return formatTable(
    ['KEY', 'NAME', 'OPENS', 'MADE', 'USED', 'STATE'],
    keys.map(({ keyId, name, instanceId, scopes, createdAt, lastUsedAt, revokedAt }) => [
      keyId,
      oneLine(name, 30),
      instanceId ?? scopes.join(', '),
      ago(createdAt),
      ago(lastUsedAt),
      revokedAt === null ? 'live' : `revoked ${ago(revokedAt)}`,
    ]),
  );
}
