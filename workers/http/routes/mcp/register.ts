import type { App } from '../../context.ts';
import { registerServeMcp } from './serve-mcp.ts';
import { registerMakeMcpKey } from './make-mcp-key.ts';
import { registerListMcpKeys } from './list-mcp-keys.ts';
import { registerRevokeMcpKey } from './revoke-mcp-key.ts';

/** MCP clients, and the keys with which they come. */
export function registerMcp(app: App): void {
  registerServeMcp(app);
  registerMakeMcpKey(app);
  registerListMcpKeys(app);
  registerRevokeMcpKey(app);
}
