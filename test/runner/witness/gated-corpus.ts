import { join } from 'node:path';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { FarEnd } from '../../support/far-end.ts';
import { SealedRoom } from '../../support/sealed.ts';
import { aDirectory, aRepository, gitIn } from '../guard/repositories.ts';
import { waysTo, type Way } from './corpus.ts';

/** What became of a way in a session that has the gate alone for a remote. */
export type Fate = { way: Way; reached: string[]; refused: boolean; passed: string[] };

const refsOf = (directory: string): Map<string, string> =>
  new Map(
    gitIn(directory, 'for-each-ref', '--format=%(refname) %(objectname)')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  );

/** Refs that are elsewhere than before, new, or gone. */
function movedBetween(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

const ours = (ref: string): boolean => /^refs\/(pilothouse|heads\/pilothouse|remotes)\//.test(ref);
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Tries ways one after the other in one session of this grade, against one real remote. */
export async function tryGated(
  grade: 'sealed' | 'fenced',
  choose: (way: Way, index: number) => boolean = () => true,
): Promise<Fate[]> {
  const source = aRepository();
  const remote = join(aDirectory(), 'remote.git');
  gitIn(source, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  gitIn(source, 'remote', 'add', 'origin', remote);
  gitIn(source, 'tag', 'v0');
  gitIn(source, 'push', '--quiet', '--set-upstream', 'origin', 'main', 'main:old', 'v0');
  const far = await FarEnd.start();
  const room = await SealedRoom.make(source, grade);
  far.logIn(room.home);
  room.policy = { ...DEFAULT_POLICY, protectedBranches: ['kept-*'] };
  const fates: Fate[] = [];
  const places = `export REMOTE=${quote(remote)} REPOSITORY=${quote(source)} TOOLS=${quote(far.tools)}`;
  try {
    for (const way of waysTo((index) => `kept-${index}`).filter(choose)) {
      const [there, here] = [refsOf(remote), refsOf(source)];
      room.pushes.length = 0;
      const before = far.done.length;
      await room.say(`exec bash -c ${quote(`${places}; ${far.addressed(way.script)}`)}`);
      const moved = movedBetween(there, refsOf(remote));
      const mine = movedBetween(here, refsOf(source)).filter((ref) => !ours(ref));
      const guarded = (ref: string) => /^refs\/(heads\/(main|old|kept-.*)$|tags\/)/.test(ref);
      fates.push({
        way,
        reached: [
          ...moved.filter(guarded),
          ...(room.pushes.length === 0 ? moved.filter((ref) => !guarded(ref)) : []),
          ...mine.map((ref) => `repository ${ref}`),
          ...far.done.slice(before).map((done) => `far end ${done}`),
        ],
        refused: room.pushes.some(({ outcomes }) =>
          outcomes.some(({ outcome }) => outcome === 'not_done'),
        ),
        passed: moved.filter((ref) => !guarded(ref)),
      });
    }
  } finally {
    await room.keeper.close();
    await far.close();
  }
  return fates;
}

/** What a reader of the table is told. */
export function describeFate({ reached, refused, passed }: Fate): string {
  if (reached.length > 0) return '**reached**';
  if (refused) return 'the gate refused it';
  return passed.length > 0 ? 'passed on, as is allowed' : 'came to nothing';
}
