import { makeMcpKeyRequest, type McpKey } from '../../protocol/mcp.ts';
import { mcpKeyId } from '../../protocol/ids.ts';

/** A key that nothing takes, so that it is found wherever it should not be. */
export const MCP_TOKEN = 'mcp-key-of-the-stand-in';

/** Keys of MCP clients of the stand-in account. */
export class MockMcpKeys {
  keys: McpKey[] = [];

  /** Answers what is asked of keys; null for what is not. */
  answer(method: string, path: string, body: unknown, nowMs: number): unknown {
    const revoked = /^\/v1\/mcp-keys\/(\w+)\/revoke$/.exec(path)?.[1];
    if (revoked !== undefined) {
      this.keys = this.keys.map((key) =>
        key.keyId === revoked ? { ...key, revokedAt: key.revokedAt ?? nowMs } : key,
      );
      return { accepted: true };
    }
    if (path !== '/v1/mcp-keys') return null;
    if (method === 'GET') return { items: this.keys };
    const key: McpKey = {
      ...makeMcpKeyRequest.parse(body),
      keyId: mcpKeyId.parse(`mky_${this.keys.length + 1}`),
      madeBy: 'person',
      createdAt: nowMs,
      lastUsedAt: null,
      revokedAt: null,
    };
    this.keys = [key, ...this.keys];
    return { key, token: MCP_TOKEN };
  }
}
