import { accepted } from '../../../protocol/http.ts';
import {
  type MadeMcpKey,
  madeMcpKey,
  type MakeMcpKeyRequest,
  type McpKey,
  mcpKeyList,
} from '../../../protocol/mcp.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about keys of MCP clients. */
export type McpApi = {
  makeMcpKey(request: MakeMcpKeyRequest): Promise<MadeMcpKey>;
  listMcpKeys(): Promise<McpKey[]>;
  revokeMcpKey(keyId: string): Promise<void>;
};

/** The MCP keys' part of a client whose requests go through `call`. */
export function createMcpApi(call: Call): McpApi {
  const path = '/v1/mcp-keys';
  return {
    makeMcpKey: (request) => call('POST', path, madeMcpKey, request),
    listMcpKeys: async () => (await call('GET', path, mcpKeyList)).items,
    async revokeMcpKey(keyId) {
      await call('POST', `${path}/${encodeURIComponent(keyId)}/revoke`, accepted, {});
    },
  };
}
