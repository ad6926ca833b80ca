import { z } from 'zod';

/**
 * Ids are prefixed strings, so that a session id can never be passed where a runner id is
 * wanted, neither by a compiler nor by a person reading a log.
 */
function idOf<const Prefix extends string>(prefix: Prefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{1,40}$`), `expected an id that starts with ${prefix}_`)
    .brand<Prefix>();
}

export const accountId = idOf('acc');
export const actorId = idOf('usr');
export const runnerId = idOf('run');
export const sessionId = idOf('ses');
export const launchId = idOf('lau');
export const turnId = idOf('trn');
export const commandId = idOf('cmd');
export const requestId = idOf('apr');
export const actId = idOf('act');
export const decisionKeyId = idOf('dky');
export const decisionReportId = idOf('drp');
export const brainKeyId = idOf('bky');
export const githubChannelId = idOf('ghc');
export const operatorId = idOf('opr');
export const instanceId = idOf('ins');
export const mcpKeyId = idOf('mky');
export const pushDeviceId = idOf('psh');
export const messageId = idOf('msg');
export const imageId = idOf('img');

export type ImageId = z.infer<typeof imageId>;
export type AccountId = z.infer<typeof accountId>;
export type ActorId = z.infer<typeof actorId>;
export type RunnerId = z.infer<typeof runnerId>;
export type SessionId = z.infer<typeof sessionId>;
export type LaunchId = z.infer<typeof launchId>;
export type TurnId = z.infer<typeof turnId>;
export type CommandId = z.infer<typeof commandId>;
export type RequestId = z.infer<typeof requestId>;
export type ActId = z.infer<typeof actId>;
export type DecisionKeyId = z.infer<typeof decisionKeyId>;
export type DecisionReportId = z.infer<typeof decisionReportId>;
export type GithubChannelId = z.infer<typeof githubChannelId>;
export type BrainKeyId = z.infer<typeof brainKeyId>;
export type OperatorId = z.infer<typeof operatorId>;
export type McpKeyId = z.infer<typeof mcpKeyId>;
export type PushDeviceId = z.infer<typeof pushDeviceId>;
export type MessageId = z.infer<typeof messageId>;
export type InstanceId = z.infer<typeof instanceId>;

const SCHEMAS = {
  acc: accountId,
  usr: actorId,
  run: runnerId,
  ses: sessionId,
  lau: launchId,
  trn: turnId,
  cmd: commandId,
  apr: requestId,
  act: actId,
  dky: decisionKeyId,
  drp: decisionReportId,
  ghc: githubChannelId,
  bky: brainKeyId,
  opr: operatorId,
  ins: instanceId,
  mky: mcpKeyId,
  psh: pushDeviceId,
  msg: messageId,
  img: imageId,
} as const;

export type IdPrefix = keyof typeof SCHEMAS;
export type IdOf<P extends IdPrefix> = z.infer<(typeof SCHEMAS)[P]>;

/** Crockford's base32 alphabet, lower case: no i, l, o or u to misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 12;

/**
 * Makes an id that sorts by time: ten characters of `nowMs`, then sixty random bits.
 * `random` supplies at least {@link RANDOM_CHARS} bytes; time and chance are arguments so that
 * pure code can make ids too.
 */
export function makeId<P extends IdPrefix>(prefix: P, nowMs: number, random: Uint8Array): IdOf<P> {
  let time = '';
  for (let rest = Math.floor(nowMs), i = 0; i < TIME_CHARS; i++, rest = Math.floor(rest / 32)) {
    time = ALPHABET.charAt(rest % 32) + time;
  }
  let chance = '';
  for (let i = 0; i < RANDOM_CHARS; i++) chance += ALPHABET.charAt((random[i] ?? 0) % 32);
  return SCHEMAS[prefix].parse(`${prefix}_${time}${chance}`) as IdOf<P>;
}

/** The one account and the one person of an installation that has no accounts. */
export const LOCAL_ACCOUNT = accountId.parse('acc_local');
export const LOCAL_ACTOR = actorId.parse('usr_local');
/** In whose name the Pilot gives instructions. */
export const PILOT_ACTOR = actorId.parse('usr_pilot');
/** In whose name what people ask on GitHub is done. */
export const GITHUB_ACTOR = actorId.parse('usr_github');
