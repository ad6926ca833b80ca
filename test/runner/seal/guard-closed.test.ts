import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEPT_CLOSED_MS } from '../../../runner/seal/guard-closed.ts';
import { GuardedRoom } from '../../support/guarded.ts';
import { commit, SESSION } from '../guard/repositories.ts';

/** A room whose session has a commit that the remote does not. */
function aRoom(): GuardedRoom {
  const room = new GuardedRoom();
  commit(room.repository, 'work.md', 'work\n');
  return room;
}

describe('a process that outlives its session', () => {
  const OVER = 'this session is over';
  const script = 'git push origin HEAD:feature; git commit -q --allow-empty -m x; gh pr merge 4';

  it.each([['that worked in place'], ['whose checkout was removed']])(
    'of one %s pushes nothing and merges nothing, for as long as one may live',
    async (place) => {
      const room = aRoom();
      room.giveForge();
      const plan = { argv: ['true'] as const, directory: room.repository, env: room.env };
      const { env } = await room.guards.put(plan, room.checkout);
      const remove = () => {
        if (place.includes('removed')) room.keeper().remove(SESSION);
        room.guards.remove(SESSION);
      };
      remove();
      room.now = KEPT_CLOSED_MS - 1;
      remove();
      room.env = env;
      const { said } = await room.byHand(script);
      expect(said.match(new RegExp(OVER, 'g'))).toHaveLength(2);
      expect(said).not.toContain('gh was asked');
      expect(room.tip('feature')).toBe('');
      expect(readdirSync(room.guard).toSorted()).toEqual(['ask', 'hooks', 'over', 'programs']);
      expect(readdirSync(join(room.guard, 'hooks'))).toEqual(['pre-push']);
      room.now = KEPT_CLOSED_MS;
      remove();
      expect(existsSync(dirname(room.guard))).toBe(false);
    },
  );

  it('is no matter where the session is taken up again', async () => {
    const room = aRoom();
    await room.run('true');
    room.guards.remove(SESSION);
    expect(await room.run('git push -q origin HEAD:feature')).toEqual({ status: 0, said: '' });
    room.now = 2 * KEPT_CLOSED_MS;
    room.guards.remove(SESSION);
    expect(existsSync(join(room.guard, 'hooks/pre-push'))).toBe(true);
  });
});
