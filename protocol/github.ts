import { z } from 'zod';
import { brainBaseUrl } from './brain-keys.ts';
import { githubChannelId, runnerId, sessionId } from './ids.ts';
import { launchSpec } from './launch.ts';
import { policyPart, saidPolicyPart } from './merge-policy.ts';

/** How GitHub ranks whoever wrote something in a repository. */
export const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const;
export const association = z.enum(ASSOCIATIONS);
export type Association = z.infer<typeof association>;

/** Who may start and steer where nobody says otherwise: those who could push anyway. */
export const USUAL_ASSOCIATIONS: Association[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** With what a comment begins that is meant for a session; the rest of it is what is asked. */
export const GITHUB_COMMAND = '/pilothouse';
export const GITHUB_LABEL = 'pilothouse';
export const GITHUB_API = 'https://api.github.com';

/** How word comes from GitHub: it calls, or it is asked. */
export const githubDelivery = z.enum(['webhook', 'poll']);

/** Everything of a launch that GitHub does not say. No issue and no comment changes any of it. */
export const githubLaunch = z.object({
  runnerId,
  ...launchSpec.pick({
    engineId: true,
    model: true,
    approvals: true,
    grade: true,
    pilot: true,
    limits: true,
  }).shape,
  directory: z.string().min(1).max(4096),
  /** A session that others can start has a limit. */
  budgetMicroUsd: z.int().positive(),
  /** What these sessions may not do beside what holds for all; it only tightens. */
  policy: policyPart.optional(),
});
export type GithubLaunch = z.infer<typeof githubLaunch>;

const secretText = (least: number) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^[\\x21-\\x7e]{${least},500}$`), `${least} to 500 characters, no space`);

export const connectGithubRequest = z
  .object({
    repository: z
      .string()
      .max(200)
      .regex(/^[\w.-]+\/[\w.-]+$/, 'give OWNER/NAME'),
    label: z.string().trim().min(1).max(50).default(GITHUB_LABEL),
    associations: z.array(association).min(1).max(8).default(USUAL_ASSOCIATIONS),
    delivery: githubDelivery.default('poll'),
    apiUrl: brainBaseUrl.default(GITHUB_API),
    /** May read issues and write comments of the repository; it needs no more. */
    token: secretText(4),
    /** With which GitHub signs what it sends. */
    webhookSecret: secretText(16).nullable().default(null),
    launch: githubLaunch.extend({ policy: saidPolicyPart.optional() }),
  })
  .refine(({ delivery, webhookSecret }) => delivery === 'poll' || webhookSecret !== null, {
    path: ['webhookSecret'],
    message: 'a webhook needs a secret',
  });
export type ConnectGithub = z.input<typeof connectGithubRequest>;

/** A repository whose issues start sessions, without its secrets. */
export const githubChannel = z.object({
  channelId: githubChannelId,
  repository: z.string(),
  label: z.string(),
  associations: z.array(association),
  delivery: githubDelivery,
  apiUrl: z.string(),
  launch: githubLaunch,
  /** The path of this instance to which GitHub sends; null where it is asked. */
  webhookPath: z.string().nullable(),
  /** Until when the repository was looked through, Unix ms. */
  polledAt: z.int(),
  /** What went wrong last, as a sentence; null while all is well. */
  fault: z.string().nullable(),
  createdAt: z.int(),
});
export type GithubChannel = z.infer<typeof githubChannel>;
export const githubChannelList = z.object({ items: z.array(githubChannel) });

/** What became of something that came from GitHub. */
export const githubVerdict = z.object({
  verdict: z.enum(['started', 'steered', 'ignored', 'waiting', 'refused']),
  /** Why, as a sentence. */
  reason: z.string(),
  sessionId: sessionId.nullable(),
});
export type GithubVerdict = z.infer<typeof githubVerdict>;

/**
 * How one of GitHub's endpoints is asked, for whatever sends it. A token goes where it was given
 * for: no redirect carries it elsewhere.
 */
export const githubRequest = (token: string, method: 'GET' | 'POST' | 'PATCH', body?: unknown) => ({
  method,
  redirect: 'manual' as const,
  headers: {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': 'pilothouse',
    'x-github-api-version': '2022-11-28',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
