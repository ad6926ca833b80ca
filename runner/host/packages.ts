/** What a system installs programs with; null where nobody knows. */
export type Packages = 'apt' | 'dnf' | 'zypper' | 'pacman' | 'apk' | 'brew' | null;

/** By the names that distributions give themselves and those that they are like (os-release(5)). */
const FAMILIES: readonly [RegExp, Exclude<Packages, 'brew' | null>][] = [
  [/^(debian|ubuntu)$/, 'apt'],
  [/^(fedora|rhel|centos)$/, 'dnf'],
  [/suse/, 'zypper'],
  [/^arch$/, 'pacman'],
  [/^alpine$/, 'apk'],
];

const INSTALL: Readonly<Record<Exclude<Packages, null>, string>> = {
  apt: 'sudo apt-get install',
  dnf: 'sudo dnf install',
  zypper: 'sudo zypper install',
  pacman: 'sudo pacman -S',
  apk: 'sudo apk add',
  brew: 'brew install',
};

/** Decides by what a system installs programs. `release`: the text of `/etc/os-release`. Pure. */
export function decidePackages(platform: string, release: string): Packages {
  if (platform === 'darwin') return 'brew';
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].flatMap(([, value = '']) =>
    value.split(' '),
  );
  return FAMILIES.find(([name]) => names.some((each) => name.test(each)))?.[1] ?? null;
}

/** The command that installs a program, between backticks, or a sentence where nobody knows it. */
export const installCommand = (packages: Packages, program: string): string =>
  packages === null
    ? `No command is known for this system: install ${program} with its package manager.`
    : `\`${INSTALL[packages]} ${program}\``;
