import type { SealSupport } from '../../protocol/grade.ts';
import { decidePackages, installCommand } from '../host/packages.ts';

/** What was found out about a machine on which bubblewrap is missing or does not work. */
export type SealFacts = {
  platform: string;
  /** The text of `/etc/os-release`. */
  release: string;
  /** What bubblewrap said when it failed; null where there is none. */
  said: string | null;
  /** Settings of the kernel by name, as text; null where the kernel has no such setting. */
  settings: Readonly<Record<SealSetting, string | null>>;
  container: boolean;
};

export const SEAL_SETTINGS = [
  'kernel.unprivileged_userns_clone',
  'user.max_user_namespaces',
  'kernel.apparmor_restrict_unprivileged_userns',
] as const;
export type SealSetting = (typeof SEAL_SETTINGS)[number];

const APPARMOR =
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\\n  userns,\\n}\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap";
const CONTAINER =
  'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined';

type Obstacle = Pick<SealSupport, 'problem' | 'remedy'>;

/** Decides what keeps a machine from sealing sessions, and the one thing to do about it. Pure. */
export function decideObstacle({
  platform,
  release,
  said,
  settings,
  container,
}: SealFacts): Obstacle {
  if (platform !== 'linux') return { problem: 'Only Linux can seal a session.', remedy: null };
  if (said === null)
    return {
      problem: 'bubblewrap is not installed.',
      remedy: installCommand(decidePackages(platform, release), 'bubblewrap'),
    };
  const setting = (name: SealSetting, value: string, problem: string, remedy: string) =>
    settings[name] === value ? { problem: `${problem} (${said})`, remedy } : null;
  return (
    setting(
      'kernel.unprivileged_userns_clone',
      '0',
      'The kernel lets only root make user namespaces.',
      '`sudo sysctl -w kernel.unprivileged_userns_clone=1`',
    ) ??
    setting(
      'user.max_user_namespaces',
      '0',
      'The kernel allows no user namespaces.',
      '`sudo sysctl -w user.max_user_namespaces=15000`',
    ) ??
    (container
      ? {
          problem: `The container that this is forbids what bubblewrap needs. (${said})`,
          remedy: `Start it with \`${CONTAINER} …\`.`,
        }
      : null) ??
    setting(
      'kernel.apparmor_restrict_unprivileged_userns',
      '1',
      'AppArmor keeps bubblewrap from making user namespaces.',
      `\`${APPARMOR}\``,
    ) ?? {
      problem: `bubblewrap does not work here. (${said})`,
      remedy:
        'No command is known for it: whoever runs this machine has to allow unprivileged user namespaces for bubblewrap.',
    }
  );
}
