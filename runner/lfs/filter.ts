import { tmpdir } from 'node:os';
import type { ConfigSection } from '../guard/config-text.ts';
import { runGit, type ConfigPair } from '../guard/git.ts';

/** The filter as `git lfs install` writes it: for the checkout of a session, whose git runs it. */
export const LFS_FILTER: ConfigSection = {
  name: 'filter',
  subsection: 'lfs',
  values: [
    ['clean', 'git-lfs clean -- %f'],
    ['smudge', 'git-lfs smudge -- %f'],
    ['process', 'git-lfs filter-process'],
    ['required', 'true'],
  ],
};

/** The filter that fills files in from what lies there already: where it would ask a server, it fails. */
export const FILL_IN: readonly ConfigPair[] = [
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.smudge', 'git-lfs smudge -- %f'],
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['filter.lfs.required', 'false'],
  ['lfs.standalonetransferagent', 'none'],
  ['lfs.customtransfer.none.path', 'false'],
  ['lfs.skipdownloaderrors', 'true'],
  ['lfs.transfer.maxretries', '1'],
];

let here: Promise<boolean> | undefined;

/** Whether git finds git-lfs on this machine. Asked once: a runner is started again to see a change. */
export function isLfsHere(): Promise<boolean> {
  here ??= runGit(['lfs', 'version'], { directory: tmpdir() }).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );
  return here;
}
