import { setTimeout as delay } from 'node:timers/promises';
import type { HeldPush, HeldRef } from './held.ts';
import type { PushCommand, PushPolicy } from './policy.ts';
import type { Quarantine } from './quarantine.ts';
import { decidePush, type PushOutcome } from './receive.ts';
import { messageOf } from '../failure.ts';

/** Pauses before the remote is asked again, in ms: what a person allowed is not lost to a blink. */
const RETRY_MS = [2_000, 10_000, 30_000] as const;

const MOVED =
  'the remote has moved since this was asked for; fetch, work on what is there now, and push again';

/**
 * Passes on what a person allowed, exactly the commits that were kept, judged again as the remote
 * and the machine's own limits are now. Carried out twice, as after a crash, it changes nothing
 * more. `policy` throws where it cannot be known.
 */
export async function settleHeld(
  { refs }: HeldPush,
  quarantine: Quarantine,
  policy: () => Omit<PushPolicy, 'defaultBranch'>,
  retryMs: readonly number[] = RETRY_MS,
): Promise<PushOutcome[]> {
  try {
    await refresh(quarantine, retryMs);
    const now = await Promise.all(refs.map((ref) => standingOf(ref, quarantine)));
    const open = now.flatMap((each) => (each.outcome ? [] : [each.command]));
    const outcomes = await decidePush(open, quarantine, policy(), true);
    return now.map(({ command, outcome }, index) => {
      const found = outcome ?? outcomes.find(({ ref }) => ref === command.ref);
      return found ?? notDone(refs[index], 'it was not pushed');
    });
  } catch (error) {
    return refs.map((ref) => notDone(ref, messageOf(error)));
  }
}

async function refresh(quarantine: Quarantine, retryMs: readonly number[]): Promise<void> {
  for (const pause of retryMs) {
    try {
      return await quarantine.refresh();
    } catch {
      await delay(pause);
    }
  }
  await quarantine.refresh();
}

/** How a ref that waited stands to the remote: still to be pushed, from where it is now, or not. */
async function standingOf(
  held: HeldRef,
  quarantine: Quarantine,
): Promise<{ command: PushCommand; outcome: PushOutcome | null }> {
  const { ref, before, after, kind } = held;
  const there = await quarantine.tipOf(ref);
  const command = { ref, before: there ?? before.replaceAll(/./g, '0'), after };
  if (there === after)
    return { command, outcome: { ...command, kind, outcome: 'done', by: 'forge', reason: null } };
  if (command.before === before) return { command, outcome: null };
  const { forward } = await quarantine.readFacts(command, []);
  return { command, outcome: forward ? null : notDone(held, MOVED) };
}

function notDone(held: HeldRef | undefined, reason: string): PushOutcome {
  const { ref = '', before = '', after = '', kind = 'push' } = held ?? {};
  return { ref, before, after, kind, outcome: 'not_done', by: 'policy', reason };
}
