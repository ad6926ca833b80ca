import { PilothouseError } from '../../protocol/errors.ts';
import {
  type AccountId,
  type ActorId,
  type DecisionKeyId,
  type InstanceId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  type McpKeyId,
  type RunnerId,
} from '../../protocol/ids.ts';
import type { McpScope } from '../../protocol/mcp.ts';
import type { Database } from '../db/client.ts';
import { equalSecrets } from '../lib/crypto.ts';
import { type CredentialKind, readCredential } from './credentials.ts';
import { admitDecisionKey, DECISION_KEY_PREFIX } from './decision-keys.ts';
import { admitMcpKey, MCP_KEY_PREFIX } from './mcp-keys.ts';

/** Who may call: the embedding host, a person, a command line, a runner, a build, an MCP client. */
export type PrincipalKind = 'host' | 'person' | 'cli' | 'runner' | 'decisionKey' | 'mcpKey';

export type Principal = {
  kind: PrincipalKind;
  name: string;
  accountId: AccountId;
  actorId: ActorId;
  /** The runner that a runner's token is for. */
  runnerId: RunnerId | null;
  /** What a build's key is for: reports of this one repository. */
  decisions: { keyId: DecisionKeyId; repository: string } | null;
  /** What an MCP client's key opens; absent for everybody else. */
  mcp?: { keyId: McpKeyId; instanceId: InstanceId | null; scopes: readonly McpScope[] };
  /** The credential's own key; null for the host, whose secret is in no table. */
  tokenHash: string | null;
  /** When the credential ends by itself, in Unix ms; null is never. */
  expiresAt: number | null;
};

/** A secret as it came with a request, and how: a browser may only send cookies, others bearers. */
export type Presented = { by: 'cookie' | 'bearer'; token: string };

/** What a kind of credential makes of its holder; a link only signs in, a code only pairs. */
function principalKindOf(
  kind: CredentialKind,
): Exclude<PrincipalKind, 'host' | 'decisionKey' | 'mcpKey'> | null {
  switch (kind) {
    case 'session':
      return 'person';
    case 'cli':
      return 'cli';
    case 'runner':
      return 'runner';
    case 'link':
    case 'pairing':
      return null;
    default:
      return kind satisfies never;
  }
}

/** Who presents this secret; null when nobody known does. A cookie's token is no bearer and vice versa. */
export async function readPrincipal(
  database: Database,
  presented: Presented,
  hostToken: string | undefined,
  nowMs: number,
): Promise<Principal | null> {
  if (presented.by === 'bearer' && hostToken && (await equalSecrets(presented.token, hostToken))) {
    const owner = { accountId: LOCAL_ACCOUNT, actorId: LOCAL_ACTOR };
    return {
      kind: 'host',
      name: 'host',
      ...owner,
      runnerId: null,
      decisions: null,
      tokenHash: null,
      expiresAt: null,
    };
  }
  if (presented.token.startsWith(DECISION_KEY_PREFIX))
    return presented.by === 'bearer' ? readBuild(database, presented.token, nowMs) : null;
  if (presented.token.startsWith(MCP_KEY_PREFIX))
    return presented.by === 'bearer' ? readMcpClient(database, presented.token, nowMs) : null;
  const credential = await readCredential(database, presented.token, nowMs);
  const kind = credential && principalKindOf(credential.kind);
  if (!credential || !kind || (kind === 'person') !== (presented.by === 'cookie')) return null;
  const { name, accountId, actorId, runnerId, tokenHash, expiresAt } = credential;
  return { kind, name, accountId, actorId, runnerId, decisions: null, tokenHash, expiresAt };
}

async function readBuild(
  database: Database,
  token: string,
  nowMs: number,
): Promise<Principal | null> {
  const key = await admitDecisionKey(database, token, nowMs);
  if (!key) return null;
  const { keyId, repository, accountId, actorId, tokenHash } = key;
  const name = `${key.name} of ${repository}`;
  const decisions = { keyId, repository };
  const none = { runnerId: null, expiresAt: null };
  return { kind: 'decisionKey', name, accountId, actorId, decisions, tokenHash, ...none };
}

async function readMcpClient(
  database: Database,
  token: string,
  nowMs: number,
): Promise<Principal | null> {
  const key = await admitMcpKey(database, token, nowMs);
  if (!key) return null;
  const { keyId, instanceId, scopes, accountId, actorId, tokenHash, name } = key;
  const none = { runnerId: null, decisions: null, expiresAt: null };
  const mcp = { keyId, instanceId, scopes };
  return { kind: 'mcpKey', name, accountId, actorId, mcp, tokenHash, ...none };
}

/** The holder as one who changes what an account keeps. Throws `forbidden` for every other. */
export function requirePersonOrCli(principal: Principal): Principal & { kind: 'person' | 'cli' } {
  const { kind } = principal;
  if (kind === 'person' || kind === 'cli') return { ...principal, kind };
  throw new PilothouseError('forbidden', { principal: kind });
}
