import { judgePush, type PushCommand, type PushPolicy } from './policy.ts';
import { FLUSH, packetOf, type PacketReader } from './pkt-line.ts';
import type { PushAnswer } from './push-output.ts';
import type { Quarantine } from './quarantine.ts';

/** What became of one ref of a push, as it is told to the session and kept in the log. */
export type PushOutcome = PushCommand & {
  outcome: 'done' | 'not_done' | 'unknown';
  reason: string | null;
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
  decide: (commands: readonly PushCommand[]) => Promise<PushOutcome[]>,
): Promise<void> {
  await packets.readList();
  write(packetOf('version=1') + FLUSH);
  const commands = (await packets.readList()).map(parseCommand);
  const outcomes = await decide(commands);
  const lines = outcomes.map(({ ref, outcome, reason }) =>
    packetOf(outcome === 'done' ? `ok ${ref}` : `ng ${ref} ${oneLine(reason ?? 'refused')}`),
  );
  write(lines.join('') + FLUSH);
}

/** Judges a push and passes on what is allowed; a push of several refs is passed on as one. */
export async function decidePush(
  commands: readonly PushCommand[],
  quarantine: Quarantine,
  policy: Omit<PushPolicy, 'defaultBranch'>,
): Promise<PushOutcome[]> {
  if (commands.length > PUSH_MAX_REFS) {
    const reason = `a push of more than ${PUSH_MAX_REFS} refs is not taken; name the branches that you mean`;
    return commands.map((command) => ({ ...command, outcome: 'not_done', reason }));
  }
  const whole = { ...policy, defaultBranch: quarantine.defaultBranch };
  const judged = await Promise.all(
    commands.map(async (command) => ({
      command,
      verdict: judgePush(command, await quarantine.readFacts(command), whole),
    })),
  );
  const allowed = judged.flatMap(({ command, verdict }) => (verdict.allowed ? [command] : []));
  const answers =
    allowed.length > 0 ? await forwardSafely(quarantine, allowed) : new Map<string, PushAnswer>();
  return judged.map(({ command, verdict }): PushOutcome => {
    if (!verdict.allowed) return { ...command, outcome: 'not_done', reason: verdict.reason };
    const answer = answers.get(command.ref);
    if (!answer) return { ...command, outcome: 'unknown', reason: UNKNOWN };
    return answer.kind === 'done'
      ? { ...command, outcome: 'done', reason: null }
      : { ...command, outcome: 'not_done', reason: answer.reason };
  });
}

async function forwardSafely(
  quarantine: Quarantine,
  commands: readonly PushCommand[],
): Promise<Map<string, PushAnswer>> {
  try {
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
