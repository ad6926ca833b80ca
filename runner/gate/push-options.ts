import { parsePushOptions } from '../broker/ask.ts';
import { sayPullRequest } from '../broker/open.ts';
import type { GateSession } from './gate-session.ts';
import { isNothing, type PushCommand } from './policy.ts';
import type { PushOutcome } from './receive.ts';

const KNOWN = 'pr.title, pr.body, pr.base and pr.draft';

/**
 * Decides a push and then what its options ask for: a pull request for the one branch that it
 * brought. `say` is shown to whoever pushes. None of the options goes on to the remote, where it
 * could merge.
 */
export async function decideWithOptions(
  session: Pick<GateSession, 'decide' | 'ask'>,
  commands: readonly PushCommand[],
  options: readonly string[],
  say: (line: string) => void,
): Promise<readonly PushOutcome[]> {
  const outcomes = await session.decide(commands);
  const { asked, foreign } = parsePushOptions(options);
  if (foreign.length > 0) say(`Of the options of a push, the gate takes ${KNOWN} alone.`);
  if (!asked) return outcomes;
  const brought = outcomes.filter(
    ({ ref, after, outcome }) =>
      outcome === 'done' && ref.startsWith('refs/heads/') && !isNothing(after),
  );
  const [branch] = brought;
  if (!asked.ok) say(`No pull request was opened: pr.${asked.reason}`);
  else if (!branch) say('No pull request was opened: the push brought no branch to the remote');
  else if (brought.length > 1)
    say('No pull request was opened: push the one branch that it is for, and no other with it');
  else {
    const head = branch.ref.slice('refs/heads/'.length);
    say(sayPullRequest(await session.ask({ ...asked.ask, head })));
  }
  return outcomes;
}
