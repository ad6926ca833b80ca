import { z } from 'zod';
import type { ActKind } from '../../protocol/act.ts';
import { quoteText } from '../../protocol/shell-word.ts';
import { classifyCommand } from '../acts/classify.ts';
import type { Claim } from '../witness/claims.ts';
import type { Watched } from '../witness/watch.ts';
import { type ActRules, asksForge, judgeActs, judgePushTo } from './act-policy.ts';
import { allowsMove, isSameCall } from './allowed-calls.ts';
import { isNothing, kindOfPush, type PushCommand, type RefFacts } from './policy.ts';

/** Most that one ask is, in bytes: a push names what it would change. */
export const MAX_ASK_BYTES = 8 * 1024 ** 2;

/** A push of a mirror's thousand refs is told by its first. */
const MAX_TOLD = 50;
/** All that is said is one line of git's protocol, where a letter may take six bytes. */
const MAX_SAID = 20;
const MAX_SAID_CHARS = 500;

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const text = z.string().max(4_096);
/** One of each run of a hook: it asks again where it heard no answer. Guards of earlier have none. */
const id = z.uuid().optional();

/**
 * What the guard of an open session asks before something is done, as its hook or its program in
 * front of a forge's saw it. Told by the session's own processes: one that lies here could as well
 * have gone around.
 */
export const guardAsk = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('push'),
    id,
    /** The remote's name; null where its address was given. */
    remote: text.nullable(),
    refs: z
      .array(
        z.object({
          ref: text,
          before: commit,
          after: commit,
          forward: z.boolean(),
          /** Paths that the remote would see changed; null where that cannot be told. */
          paths: z.array(text).nullable(),
        }),
      )
      .max(10_000),
  }),
  z.object({ do: z.literal('forge'), id, argv: z.array(z.string()).min(1).max(10_000) }),
]);
export type GuardAsk = z.infer<typeof guardAsk>;

/** What the guard saw of a session: refs that it let go, and what it refused. */
export type GuardSeen = {
  remote: string | null;
  passed: readonly PushCommand[];
  /** The first of them. */
  refused: readonly GuardRefusal[];
  /** How many it refused beside those. */
  more?: number;
};

export type GuardRefusal = {
  kind: ActKind;
  command: string;
  target: string | null;
  reason: string;
  /** Of a push alone: the ref that it would have moved. */
  move?: PushCommand;
};

export type GuardRoom = {
  rules: ActRules;
  /** The paths among some that are protected. */
  protectedAmong(paths: readonly string[]): string[];
  watched: Watched | undefined;
};

/**
 * Decides what the guard answers, by the same functions as the gate and the look at a command: what
 * the policy leaves to a person goes through where a person allowed the call that does it. Pure.
 */
export function decideGuard(ask: GuardAsk, room: GuardRoom): GuardSeen {
  return ask.do === 'push' ? decidePush(ask, room) : decideForge(ask, room);
}

function decidePush(
  { remote, refs }: Extract<GuardAsk, { do: 'push' }>,
  room: GuardRoom,
): GuardSeen {
  const { watched } = room;
  const refused: GuardRefusal[] = [];
  for (const { ref, before, after, forward, paths } of refs) {
    const command = { ref, before, after };
    const facts: RefFacts = {
      own: isOwn(ref, watched),
      forward: isNothing(before) || forward,
      // What cannot be told accuses nobody: the refs are looked at afterwards.
      changes: { known: true, paths: room.protectedAmong(paths ?? []) },
    };
    const verdict = judgePushTo(remote ?? '', command, facts, room.rules);
    if (verdict.kind === 'allow') continue;
    const moved = isNothing(after) ? null : after;
    const move = { place: remote ?? '', remote: true, ref, before, after: moved };
    const allows = (claim: Claim) => allowsMove(claim, move, remote, room.rules);
    if (verdict.kind === 'ask' && isAllowed(watched, allows)) continue;
    refused.push({
      kind: kindOfPush(command, facts),
      command: `git push ${remote ?? '(an address)'} ${isNothing(after) ? '' : after.slice(0, 12)}:${ref}`,
      target: `${remote ?? 'an address'} ${ref.replace(/^refs\/(heads|tags)\//, '')}`,
      reason: reasonOf(verdict),
      move: command,
    });
  }
  const passed = refused.length > 0 ? [] : refs.map(commandOf);
  return { remote, passed, ...firstOf(refused) };
}

const commandOf = ({ ref, before, after }: PushCommand): PushCommand => ({ ref, before, after });

/** The session made it: the refs said so after a turn, or the guard let it make it since. */
function isOwn(ref: string, watched: Watched | undefined): boolean {
  const made = watched?.made?.some((each) => each.endsWith(` ${ref}`)) ?? false;
  return (
    made || (watched?.passed?.some((each) => each.ref === ref && isNothing(each.before)) ?? false)
  );
}

function decideForge(
  { argv }: Extract<GuardAsk, { do: 'forge' }>,
  { rules, watched }: GuardRoom,
): GuardSeen {
  const acts = classifyCommand(argv.map((word) => quoteText(word)).join(' ')).filter(asksForge);
  const refused = acts.flatMap((act): GuardRefusal[] => {
    const verdict = judgeActs([act], { ...rules, gated: false });
    const allows = (claim: Claim) => isSameCall(claim, act);
    if (!verdict || (verdict.kind === 'ask' && isAllowed(watched, allows))) return [];
    const { kind, command, target } = act;
    return [{ kind, command, target, reason: reasonOf(verdict) }];
  });
  return { remote: null, passed: [], ...firstOf(refused) };
}

const firstOf = (refused: readonly GuardRefusal[]): Pick<GuardSeen, 'refused' | 'more'> => ({
  refused: refused.slice(0, MAX_TOLD),
  ...(refused.length > MAX_TOLD && { more: refused.length - MAX_TOLD }),
});

/** A person allowed a call of the session's that does this, and it is not over: a yes is for one call. */
const isAllowed = (watched: Watched | undefined, fits: (claim: Claim) => boolean): boolean =>
  watched?.claims.some(
    (claim) =>
      claim.outcome === null &&
      typeof claim.toolId === 'string' &&
      watched.allowed?.includes(claim.toolId) === true &&
      fits(claim),
  ) ?? false;

const reasonOf = ({ kind, reason }: { kind: 'ask' | 'refuse'; reason: string }): string =>
  kind === 'ask'
    ? `${reason}, and no person was asked; tell the person what is to be done`
    : reason;

/** The answer as the session reads it. */
export function answerGuard({ refused, more = 0 }: Pick<GuardSeen, 'refused' | 'more'>): {
  allow: boolean;
  say: string;
} {
  if (refused.length === 0) return { allow: true, say: '' };
  const named = refused
    .slice(0, MAX_SAID)
    .map(({ target, kind, reason }) => cut(`${target ?? kind}: ${reason}`));
  const rest = refused.length - named.length + more;
  const lines = [...named, ...(rest > 0 ? [`${rest} more are refused too`] : [])];
  return {
    allow: false,
    say: `The policy of this session refuses this, and nothing of it was done. ${lines.join('. ')}.`,
  };
}

const cut = (line: string): string =>
  line.length > MAX_SAID_CHARS ? `${line.slice(0, MAX_SAID_CHARS - 1)}…` : line;
