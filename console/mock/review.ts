import type { Checkpoint, RewindRequest, Rewound } from '../../protocol/checkpoints.ts';
import type { FoundFiles } from '../../protocol/find-files.ts';
import type { Landed, LandRequest } from '../../protocol/land.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { CheckoutReview, ReviewedPatch } from '../../protocol/review.ts';

/** What the sessions of the stand-in changed. */
export const REVIEW: Omit<CheckoutReview, 'sessionId'> = {
  branch: 'pilothouse/trim-the-sails',
  base: 'b'.repeat(40),
  head: 'c'.repeat(40),
  tree: 'a'.repeat(40),
  commits: 1,
  uncommittedFiles: 1,
  files: [
    { path: 'docs/rig.png', was: null, change: 'added', additions: null, deletions: null },
    { path: 'src/sail.ts', was: null, change: 'edited', additions: 1, deletions: 1 },
  ],
  moreFiles: 0,
};

/** The diff of each of their files. */
export const patchOf = (path: string): ReviewedPatch => ({
  path,
  patch: path.endsWith('.ts')
    ? '@@ -3,2 +3,2 @@\n export function trim() {\n-  hoist();\n+  reef();\n'
    : '',
  cutChars: 0,
});

/** How far what they changed goes. */
export const landedOf = (
  { sessionId }: { sessionId: SessionId },
  { branch, uncommittedFiles }: typeof REVIEW,
  { how }: LandRequest,
): Landed => ({
  sessionId,
  branch,
  commit: 'd'.repeat(40),
  committed: uncommittedFiles > 0,
  pushed: how !== 'commit',
  pullRequest: how === 'pull_request' ? 'https://forge.example/lighthouse/sails/pull/7' : null,
});

/** What the files of its sessions can be put back to. */
export const CHECKPOINTS: Checkpoint[] = [
  { tree: '2'.repeat(40), at: 1_750_000_120_000, kind: 'rewind', turnId: null },
  { tree: '1'.repeat(40), at: 1_750_000_000_000, kind: 'start', turnId: null },
];

/** What came of putting them back. */
export const rewoundOf = (
  { sessionId }: { sessionId: SessionId },
  { tree }: RewindRequest,
): Rewound => ({ sessionId, tree, was: '9'.repeat(40), files: 2 });

/** Files of their checkouts that have the letters asked for, in order. */
export function findMockFiles(query: string): FoundFiles {
  const letters = new RegExp(
    query
      .toLowerCase()
      .split('')
      .map((each) => `[${each}]`)
      .join('.*'),
  );
  const files = MOCK_FILES.filter((path) => letters.test(path));
  return { files: files.slice(0, 12), examined: MOCK_FILES.length, more: false };
}
const MOCK_FILES = ['docs/rig.png', 'docs/sailing notes.md', 'readme.md', 'src/sail.ts'];
