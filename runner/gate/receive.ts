import type { ActKind, ActOutcome } from '../../protocol/act.ts';
import { messageOf } from '../failure.ts';
import {
  judgePush,
  kindOfPush,
  type PushCommand,
  type PushPolicy,
  type PushVerdict,
} from './policy.ts';
import { FLUSH, packetOf, type PacketReader } from './pkt-line.ts';
import { judgeObjects } from './lfs.ts';
import type { PushAnswer } from './push-output.ts';
import type { Quarantine } from './quarantine.ts';

/** What became of one ref of a push, as it is told to the session and put on record. */
export type PushOutcome = PushCommand & {
  kind: ActKind;
  outcome: ActOutcome;
  /** Who decided: our policy, or the forge that was asked. */
  by: 'policy' | 'forge';
  reason: string | null;
  /** The policy leaves it to a person. */
  asks?: true;
};

/** Each ref costs processes of git: a push of more is refused whole, before anything is looked at. */
const PUSH_MAX_REFS = 100;

const UNKNOWN =
  'the remote did not answer in time, so that it is not known whether it took this; look there before you push again';

/**
 * Speaks with receive-pack in its hook's place: what was received is judged, passed on, and
 * answered ref by ref (githooks(5), proc-receive).
 */
export async function receivePush(
  packets: PacketReader,
  write: (text: string) => void,
  decide: (
    commands: readonly PushCommand[],
    options: readonly string[],
  ) => Promise<readonly PushOutcome[]>,
): Promise<void> {
  // Offered only where the push has options; the list of them comes only where it is taken.
  const [version = ''] = await packets.readList();
  const takesOptions = /[\0 ]push-options\b/.test(version);
  write(packetOf(takesOptions ? 'version=1\0push-options' : 'version=1') + FLUSH);
  const commands = (await packets.readList()).map(parseCommand);
  const options = takesOptions ? await packets.readList() : [];
  const outcomes = await decide(commands, options);
  const lines = outcomes.map(({ ref, outcome, reason }) =>
    packetOf(outcome === 'done' ? `ok ${ref}` : `ng ${ref} ${oneLine(reason ?? 'refused')}`),
  );
  write(lines.join('') + FLUSH);
}

/**
 * Judges a push and passes on what is allowed; a push of several refs is passed on as one. With
 * `allowed` a person was asked and has allowed what the policy leaves to them.
 */
export async function decidePush(
  commands: readonly PushCommand[],
  quarantine: Quarantine,
  policy: Omit<PushPolicy, 'defaultBranch'>,
  allowed = false,
): Promise<PushOutcome[]> {
  if (commands.length > PUSH_MAX_REFS) {
    const reason = `a push of more than ${PUSH_MAX_REFS} refs is not taken; name the branches that you mean`;
    return refuseAll(commands, reason);
  }
  const whole = { ...policy, defaultBranch: quarantine.defaultBranch };
  // All of a push is one: what it brings between its refs is what has to pass.
  const bytes = quarantine.objects.measure(commands.map(({ after }) => after));
  const judged = await Promise.all(
    commands.map((command) => judgeSafely(command, quarantine, whole, bytes)),
  );
  const passing = judged.filter(
    ({ verdict: { kind } }) => kind === 'allow' || (allowed && kind === 'ask'),
  );
  const answers =
    passing.length > 0
      ? await forwardSafely(
          quarantine,
          passing.map(({ command }) => command),
        )
      : new Map<string, PushAnswer>();
  return judged.map((each): PushOutcome => {
    const { verdict } = each;
    if (verdict.kind === 'ask' && !allowed)
      return { ...refusedBy('policy', each, verdict.reason), asks: true };
    if (verdict.kind === 'refuse') return refusedBy('policy', each, verdict.reason);
    return outcomeOf(each, answers.get(each.command.ref));
  });
}

/** A push that is refused whole, whatever its refs are. */
export const refuseAll = (commands: readonly PushCommand[], reason: string): PushOutcome[] =>
  commands.map((command) => refusedBy('policy', { command, kind: 'push' }, reason));

type Judged = { command: PushCommand; kind: ActKind; verdict: PushVerdict };

/** What cannot be looked at is refused, and says so. */
async function judgeSafely(
  command: PushCommand,
  quarantine: Quarantine,
  policy: PushPolicy,
  bytes: Promise<number>,
): Promise<Judged> {
  try {
    const large = await bytes;
    const facts = await quarantine.readFacts(command, policy.protectedPaths);
    const verdict = judgePush(command, facts, policy);
    return {
      command,
      kind: kindOfPush(command, facts),
      verdict:
        verdict.kind === 'refuse'
          ? verdict
          : stricterOf(
              verdict,
              judgeObjects(await quarantine.objects.takeIn(command.after, large)),
            ),
    };
  } catch (error) {
    const reason = `it could not be judged, and so is refused: ${messageOf(error)}`;
    return { command, kind: 'push', verdict: { kind: 'refuse', reason } };
  }
}

const stricterOf = (verdict: PushVerdict, other: PushVerdict): PushVerdict =>
  other.kind === 'allow' ? verdict : other;

function outcomeOf(
  { command, kind }: Omit<Judged, 'verdict'>,
  answer: PushAnswer | undefined,
): PushOutcome {
  if (!answer) return { ...command, kind, outcome: 'unknown', by: 'forge', reason: UNKNOWN };
  return answer.kind === 'done'
    ? { ...command, kind, outcome: 'done', by: 'forge', reason: null }
    : refusedBy('forge', { command, kind }, answer.reason);
}

const refusedBy = (
  by: PushOutcome['by'],
  { command, kind }: Omit<Judged, 'verdict'>,
  reason: string,
): PushOutcome => ({ ...command, kind, outcome: 'not_done', by, reason });

async function forwardSafely(
  quarantine: Quarantine,
  commands: readonly PushCommand[],
): Promise<Map<string, PushAnswer>> {
  try {
    const commits = commands.map(({ after }) => after);
    const reason = await quarantine.objects.passOn(commits).catch(messageOf);
    if (reason !== null)
      return new Map(commands.map(({ ref }) => [ref, { kind: 'refused', reason }]));
    return await quarantine.forward(commands);
  } catch {
    // Ended for exceeding its time: the remote may have taken it.
    return new Map();
  }
}

function parseCommand(line: string): PushCommand {
  const [before = '', after = '', ...ref] = line.split(' ');
  if (!/^[0-9a-f]{40,64}$/.test(before) || !/^[0-9a-f]{40,64}$/.test(after) || ref.length !== 1)
    throw new Error('not a command of a push');
  return { before, after, ref: ref[0] ?? '' };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 300);
