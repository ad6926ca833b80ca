import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actPage } from '../../protocol/http.ts';
import { sealProblem } from '../support/sealed.ts';
import { until } from '../support/until.ts';
import { takeOverByHand } from './hands.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const usage = { do: 'usage' as const, inputTokens: 10, outputTokens: 1, costUsd: 0.01 };
/** What is typed in the terminal: a push that may be, one that may not, and a way around it. */
const TYPED = {
  do: 'bash' as const,
  command: [
    'git commit -q --allow-empty -m typed',
    'git push -q origin HEAD:refs/heads/by-hand-$$',
    'git push origin HEAD:main',
    'git push --no-verify origin HEAD:main',
  ].join('; '),
  ask: false,
};
/** A machine that is busy with other things still gets there. */
const LONG = { withinMs: 60_000 };
let world: RehearsalWorld;
beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      [{ do: 'text', text: 'First.' }, usage],
      [TYPED, usage],
    ],
  });
});
afterAll(() => world?.stop());

const onMain = () =>
  execFileSync('git', ['log', '-1', '--format=%s', 'main'], {
    cwd: world.remote,
    encoding: 'utf8',
  }).trim();

/** A person takes a session over, pushes in its terminal and hands it back; what is on record then. */
async function pushByHand(...options: string[]) {
  const sessionId = await world.launch('work', '--dir', world.repository, ...options);
  await world.untilTurns(sessionId, 1);
  const { key, client, hands } = await takeOverByHand(world, sessionId);
  await hands.screen.see('1 turns so far');
  hands.type('push it\r');
  await hands.screen.see('Turn 2 is over.');
  await world.call(`/v1/sessions/${sessionId}/release`, { key });
  client.close();
  const turn = await until(
    'the interval to be looked at',
    async () => {
      const { view } = await world.detail(sessionId);
      return view.turns[1]?.witnessed ? view.turns[1] : null;
    },
    LONG,
  );
  // The ledger follows the record.
  const items = await until(
    'its acts in the ledger',
    async () => {
      const page = await world.get(actPage, `/v1/acts?sessionId=${sessionId}`);
      return page.items.length >= turn.acts ? page.items : null;
    },
    LONG,
  );
  const { view } = await world.detail(sessionId);
  const acts = items.map((act) => {
    expect(act.turnId).toBe(turn.turnId);
    const { kind, witness, outcome, target } = act;
    return [witness, kind, target?.replace(/by-hand-\d+/, 'by-hand'), outcome];
  });
  return { sessionId, view, acts: acts.toSorted((a, b) => a.join().localeCompare(b.join(), 'en')) };
}

describe('a push that a person types in a session’s terminal', () => {
  it.skipIf(sealProblem !== null)('sealed, goes through the gate or not at all', async () => {
    const { view, acts } = await pushByHand('--grade', 'sealed');
    expect(acts).toEqual([
      ['gate', 'push', 'origin by-hand', 'done'],
      ['gate', 'push', 'origin main', 'not_done'],
      ['gate', 'push', 'origin main', 'not_done'],
    ]);
    expect(onMain()).toBe('start');
    expect(view).toMatchObject({ state: 'parked', turns: [{}, { origin: 'terminal', acts: 3 }] });
  });

  it('in place, is asked about by the guard, and a breach where it went past it', async () => {
    const { sessionId, acts } = await pushByHand('--in-place');
    expect(onMain()).toBe('typed');
    expect(acts).toEqual([
      ['git', 'commit', 'repository main', 'done'],
      ['git', 'merge', 'origin main', 'done'],
      ['git', 'push', 'origin by-hand', 'done'],
      ['guard', 'push', 'origin main', 'not_done'],
    ]);
    const { view } = await world.untilState(sessionId, 'halted');
    expect(view.reason).toMatch(/policy forbids.*main on origin/);
    expect(await world.events(sessionId, 'breach/found')).toMatchObject([
      { breach: { turnId: view.turns[1]?.turnId, seenBy: 'git', kind: 'merge' } },
    ]);
  });
});
