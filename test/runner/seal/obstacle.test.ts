import { describe, expect, it } from 'vitest';
import { decideObstacle, type SealFacts } from '../../../runner/seal/obstacle.ts';

const NONE = {
  'kernel.unprivileged_userns_clone': null,
  'user.max_user_namespaces': '96365',
  'kernel.apparmor_restrict_unprivileged_userns': null,
};
const able: SealFacts = {
  platform: 'linux',
  release: '',
  said: 'bwrap: setting up uid map: Permission denied',
  settings: NONE,
  container: false,
};
const decide = (over: Partial<SealFacts>) => decideObstacle({ ...able, ...over });

describe('a machine without bubblewrap', () => {
  it.each([
    ['ID=debian\n', 'apt-get install'],
    ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'apt-get install'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'dnf install'],
    ['ID="opensuse-tumbleweed"\n', 'zypper install'],
    ['ID=arch\n', 'pacman -S'],
    ['ID=alpine\n', 'apk add'],
  ])('is told the command of its own system: %s', (release, command) => {
    expect(decide({ said: null, release })).toEqual({
      problem: 'bubblewrap is not installed.',
      remedy: `\`sudo ${command} bubblewrap\``,
    });
  });

  it('of an unknown kind is told what to install', () => {
    expect(decide({ said: null, release: 'ID=other' }).remedy).toContain('package manager');
  });

  it('that is no Linux cannot seal, whatever is installed', () => {
    expect(decide({ platform: 'darwin', said: null })).toEqual({
      problem: 'Only Linux can seal a session.',
      remedy: null,
    });
  });
});

describe('a machine that forbids bubblewrap to work', () => {
  it.each([
    ['kernel.unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
    ['user.max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces='],
    ['kernel.apparmor_restrict_unprivileged_userns', '1', 'apparmor_parser -r'],
  ] as const)('is told the command that allows it: %s', (name, value, command) => {
    const { problem, remedy } = decide({ settings: { ...NONE, [name]: value } });
    expect(remedy).toContain(command);
    expect(problem).toContain('uid map');
  });

  it('is told how to start it, where it is a container, whose kernel belongs to somebody else', () => {
    const settings = { ...NONE, 'kernel.apparmor_restrict_unprivileged_userns': '1' };
    expect(decide({ container: true, settings }).remedy).toContain('docker run --security-opt');
  });

  it('is told what bubblewrap said, where nothing is known', () => {
    expect(decide({ said: 'bwrap: something new' }).problem).toContain('something new');
  });
});
