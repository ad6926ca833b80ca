import type { DoctorFinding } from '../../protocol/machine.ts';
import { installCommand, type Packages } from '../host/packages.ts';

type Version = readonly [major: number, minor: number];

/** The first version with `git worktree` repair and reliable `--shared` clones. */
const CHECKOUTS_FROM: Version = [2, 30];
/** The first one that makes a merge again, by which the gate tells what a merge changes itself. */
const PUSHES_FROM: Version = [2, 35];

const isOlder = (one: Version, other: Version): boolean =>
  one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

/**
 * Whether git is there and new enough. `output` is what `git --version` says; null when git cannot
 * be run.
 */
export function checkGit(output: string | null, packages: Packages): DoctorFinding {
  const finding = (status: DoctorFinding['status'], message: string): DoctorFinding => ({
    check: 'git',
    status,
    message,
    remedy: status === 'ok' ? null : remedyOf(packages, output !== null),
  });
  if (output === null)
    return finding('problem', 'git is not installed, so no session can have a checkout.');
  const match = /(\d+)\.(\d+)/.exec(output);
  if (!match) return finding('warning', `git says ${output.trim()}, which names no version.`);
  const version: Version = [Number(match[1]), Number(match[2])];
  if (isOlder(version, CHECKOUTS_FROM))
    return finding('problem', `git ${match[0]} is older than ${CHECKOUTS_FROM.join('.')}.`);
  if (isOlder(version, PUSHES_FROM))
    return finding(
      'warning',
      `git ${match[0]} is older than ${PUSHES_FROM.join('.')}, so every push of a sealed or fenced session is refused: the gate cannot see what a merge changes.`,
    );
  return finding('ok', `git ${match[0]}`);
}

/** How to get a git that is new enough: many a distribution keeps an old one. */
function remedyOf(packages: Packages, installed: boolean): string {
  if (!installed) return installCommand(packages, 'git');
  switch (packages) {
    case 'apt':
      return 'On Ubuntu: `sudo add-apt-repository -y ppa:git-core/ppa && sudo apt-get install -y git`. On Debian: `sudo apt-get install -y -t "$(lsb_release -cs)-backports" git`.';
    case 'dnf':
      return '`sudo dnf upgrade git`';
    case 'zypper':
      return '`sudo zypper update git`';
    case 'pacman':
      return '`sudo pacman -Syu git`';
    case 'apk':
      return '`sudo apk add --upgrade git`';
    case 'brew':
      return '`brew install git`';
    case null:
      return 'No command is known for this system: update git with its package manager.';
    default:
      return packages satisfies never;
  }
}

/** What Git LFS means for sessions; null on a machine without it. `output`: of `git lfs version`. */
export function checkLfs(output: string | null): DoctorFinding | null {
  if (output === null) return null;
  const version = /git-lfs\/(\S+)/.exec(output)?.[1];
  return {
    check: 'lfs',
    status: 'ok',
    message: `Git LFS${version ? ` ${version}` : ''}: sessions have its files where your repository has them, fetch others through the gate, and push new ones through it.`,
    remedy: null,
  };
}
