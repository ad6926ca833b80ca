import { z } from 'zod';
import { instanceId, pushDeviceId, requestId, sessionId } from './ids.ts';

/** What a browser may be told of while no page of the console is open. */
export const PUSH_KINDS = [
  'approval',
  'pilot',
  'operator',
  'blocked',
  'halted',
  'failed',
  'finished',
  'budget',
  'digest',
] as const;
export const pushKind = z.enum(PUSH_KINDS);
export type PushKind = z.infer<typeof pushKind>;

/** Each kind as a person chooses it. */
export const PUSH_WORDS: Record<PushKind, string> = {
  approval: 'An approval or a question waits',
  pilot: 'A Pilot asks, or proposes its next step',
  operator: 'A call of an operator waits',
  blocked: 'An engine is blocked',
  halted: 'A session or an operator was halted by a limit or a breach',
  failed: 'A session failed or did not start',
  finished: 'A turn or a session ended well',
  budget: 'A limit or a budget is used to 50, 80 or 95 %',
  digest: 'The morning digest, where one is chosen',
};

/** What is shown of each outside the console: that there is something, never what it is about. */
export const PUSH_SAYS: Record<PushKind, { title: string; body: string }> = {
  approval: { title: 'A session needs you', body: 'It waits for your answer.' },
  pilot: { title: 'A Pilot asks you', body: 'It goes on once you answer.' },
  operator: { title: 'An operator asks you', body: 'A call of it waits for your yes or no.' },
  blocked: { title: 'A session is blocked', body: 'Its engine cannot go on without you.' },
  halted: { title: 'Something was halted', body: 'A limit or a policy is at stake.' },
  failed: { title: 'A session failed', body: 'See what happened, and what to do.' },
  finished: { title: 'A session has finished', body: 'Its work is ready to be looked at.' },
  budget: { title: 'A budget is being used up', body: 'See how much of it is left.' },
  digest: {
    title: 'Your digest is ready',
    body: 'What happened since the last one, and what waits for you.',
  },
};

/** Hosts of the push services that browsers have; nothing is sent anywhere else. */
const SERVICES = [
  'fcm.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/**
 * Whether an address is one of a push service of a browser: https, at its own port, without a name
 * in it. An address that anybody may name would let the server be sent into a private network.
 */
export function isPushEndpoint(text: string): boolean {
  const host = /^https:\/\/([a-z0-9.-]+)\/[\x21-\x5b\x5d-\x7e]*$/.exec(text)?.[1];
  return (
    host !== undefined &&
    SERVICES.some((service) => host === service || host.endsWith(`.${service}`))
  );
}

/** Minutes after midnight, where the person is. */
export const minutesOfDay = z
  .int()
  .min(0)
  .max(24 * 60 - 1);

export const timeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'give a time zone by its name, such as Europe/Berlin');

/** Hours in which nothing is sent, from one time of day to another, over midnight where it is later. */
export const quietHours = z.object({
  from: minutesOfDay,
  to: minutesOfDay,
  timeZone,
});
export type QuietHours = z.infer<typeof quietHours>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Whether it is a quiet hour at this time, Unix ms. Pure. */
export function isQuiet(quiet: QuietHours | null, atMs: number): boolean {
  if (quiet === null) return false;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: quiet.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs);
  const [hour, minute] = ['hour', 'minute'].map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  );
  const now = (hour ?? 0) * 60 + (minute ?? 0);
  const { from, to } = quiet;
  return from <= to ? now >= from && now < to : now >= from || now < to;
}

const key = (bytes: string) => z.string().regex(/^[\w-]+$/, `${bytes} in base64url`);

/** What somebody is told, and when they are left alone. */
export const pushChoices = z.object({
  kinds: z.array(pushKind).max(PUSH_KINDS.length),
  quiet: quietHours.nullable(),
});
export type PushChoices = z.infer<typeof pushChoices>;

/** A choice as it is kept, with the kinds that there were when it was made. */
export const keptChoices = z.object({
  ...pushChoices.shape,
  among: z.array(z.string()).optional(),
});
export type KeptChoices = z.infer<typeof keptChoices>;

/** The kinds of the time in which a choice did not say what it was made among. */
const FIRST: readonly PushKind[] = ['approval', 'blocked', 'halted', 'failed', 'finished'];

/** A choice as it is kept from now on. */
export const chosenNow = <T extends PushChoices>(choices: T) => ({
  ...choices,
  among: [...PUSH_KINDS],
});

/**
 * What is told by a choice that was made before there were kinds that there are now: those too, and
 * `added` names them, so that whoever chose sees it. Who chose to be told nothing is told nothing.
 */
export function withLater({ kinds, among }: KeptChoices): Record<'kinds' | 'added', PushKind[]> {
  const knew = among ?? (kinds.every((kind) => FIRST.includes(kind)) ? FIRST : PUSH_KINDS);
  const later = PUSH_KINDS.filter((kind) => !knew.includes(kind));
  const added = kinds.length === 0 ? [] : later.filter((kind) => !kinds.includes(kind));
  return { kinds: PUSH_KINDS.filter((kind) => [...kinds, ...added].includes(kind)), added };
}

/** Kinds that are told because they came after the choice: shown until somebody chooses anew. */
export const addedKinds = z.array(pushKind).default([]);

/** The same of a browser, and whether it shows more than that there is something. */
export const deviceChoices = z.object({
  ...pushChoices.shape,
  /** The command that waits, with the answers to it, and what a digest says. */
  details: z.boolean().default(false),
});
export type DeviceChoices = z.output<typeof deviceChoices>;

/** A browser that asks to be told: its subscription, as the browser made it. */
export const subscribeRequest = z.object({
  endpoint: z
    .string()
    .max(1_000)
    .refine(isPushEndpoint, 'give the address of a browser’s push service'),
  keys: z.object({ p256dh: key('65 bytes').length(87), auth: key('16 bytes').length(22) }),
  name: z.string().trim().min(1).max(100),
  ...deviceChoices.shape,
});

/** A browser that is told. Where its messages go, and with which key, is shown to nobody. */
export const pushDevice = z.object({
  deviceId: pushDeviceId,
  name: z.string(),
  ...deviceChoices.shape,
  added: addedKinds,
  createdAt: z.int(),
  /** When its push service last took a message, Unix ms. */
  lastAt: z.int().nullable(),
  /** Why the last one was not taken; null while all is well. */
  fault: z.string().nullable(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/** A command that a notification shows whole, and the one request that it answers. */
export const pushAsks = z.object({ requestId, command: z.string() });

/**
 * What is sent: that there is something, and where to look. What it is about is there for browsers
 * that show it, and is taken out for everybody else.
 */
export const pushMessage = z.object({
  kind: pushKind,
  /** Null for what is of no session. */
  sessionId: sessionId.nullable(),
  instanceId: instanceId.optional(),
  tag: z.string(),
  asks: pushAsks.optional(),
  /** What a digest says. */
  says: z.string().optional(),
});
export type PushMessage = z.infer<typeof pushMessage>;

/** The message for one who shows no more than that there is something. Pure. */
export const withoutDetails = ({
  asks: _asks,
  says: _says,
  ...message
}: PushMessage): PushMessage => message;
