import { queryOptions } from '@tanstack/react-query';
import { accepted } from '../../protocol/http.ts';
import { madeMcpKey, mcpKeyList, type MakeMcpKeyRequest } from '../../protocol/mcp.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Everything that a made or revoked key changes. */
export const MCP_KEYS_KEY = ['mcp-keys'] as const;
/** A key may be used, or made in a terminal, beside this page: read again now and then, in ms. */
const EVERY_MS = 10_000;

export const mcpKeysQuery = queryOptions({
  queryKey: MCP_KEYS_KEY,
  queryFn: ({ signal }) => read(mcpKeyList, api.mcpKeys, { signal }),
  select: ({ items }) => items,
  refetchInterval: EVERY_MS,
});

/** Makes a key; its token is in this one answer. */
export const makeMcpKey = (request: MakeMcpKeyRequest) => send(madeMcpKey, api.mcpKeys, request);

/** Makes a key worthless, for good. */
export const revokeMcpKey = (keyId: string) => send(accepted, api.revokeMcpKey(keyId));
