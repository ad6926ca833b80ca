import { z } from 'zod';
import { instanceId, mcpKeyId } from './ids.ts';

/** Where MCP clients are served. */
export const MCP_PATH = '/mcp';
/** Most requests of one key in a window, and how long that is, in ms. */
export const MCP_RATE = { most: 240, windowMs: 60_000 } as const;

/** What a key of the control plane opens: looking, talking to a session, starting one, ending one. */
export const MCP_SCOPES = ['read', 'write', 'runtime', 'destructive'] as const;
export const mcpScope = z.enum(MCP_SCOPES);
export type McpScope = z.infer<typeof mcpScope>;

/** What is shown of a key. The key itself is shown once, to whoever makes it. */
export const mcpKey = z.object({
  keyId: mcpKeyId,
  name: z.string(),
  /** The instance whose tools it opens; null: a key of the control plane, with `scopes`. */
  instanceId: instanceId.nullable(),
  scopes: z.array(mcpScope),
  madeBy: z.enum(['person', 'cli']),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
  revokedAt: z.int().nullable(),
});
export type McpKey = z.infer<typeof mcpKey>;
export const mcpKeyList = z.object({ items: z.array(mcpKey) });

export const makeMcpKeyRequest = z
  .object({
    name: z.string().trim().min(1).max(100),
    instanceId: instanceId.nullable().default(null),
    scopes: z.array(mcpScope).max(MCP_SCOPES.length).default([]),
  })
  .refine(({ instanceId: of, scopes }) => (of === null) === scopes.length > 0, {
    message: 'give either an instance, or scopes of the control plane',
  });
export type MakeMcpKeyRequest = z.input<typeof makeMcpKeyRequest>;

export const madeMcpKey = z.object({ key: mcpKey, token: z.string() });
export type MadeMcpKey = z.infer<typeof madeMcpKey>;
