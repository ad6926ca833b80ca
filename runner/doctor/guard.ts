import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DoctorFinding } from '../../protocol/machine.ts';
import { findExecutable } from '../engines/executable.ts';
import { installCommand, type Packages } from '../host/packages.ts';
import { FORGE_PROGRAMS } from '../seal/forge-programs.ts';
import { withHooks } from '../seal/guard-hooks.ts';

/** What the guard of an open session stands on here. */
export type GuardFacts = {
  /** git takes the place of its hooks from the variable that the guard sets. */
  hooks: boolean;
  /** Command lines of forges that are there, which it stands before. */
  programs: readonly string[];
};

const PLACE = '/guard of the doctor';
const WITHIN_MS = 2_000;
const run = promisify(execFile);

/** The finding on the guard of open sessions. */
export function checkGuard({ hooks, programs }: GuardFacts, packages: Packages): DoctorFinding {
  if (!hooks)
    return {
      check: 'guard',
      status: 'warning',
      message:
        'git here does not take its hooks from its environment, so that nothing asks before an open session pushes.',
      remedy: installCommand(packages, 'git'),
    };
  const before = ['git push', ...programs].join(', ');
  return {
    check: 'guard',
    status: 'ok',
    message: `Open sessions have a guard, which asks the runner first: ${before}. It can be gone around; a seal cannot.`,
    remedy: null,
  };
}

/** Asks git by the variable itself, in no repository; looks for the programs on PATH. */
export async function readGuardFacts(env: NodeJS.ProcessEnv): Promise<GuardFacts> {
  const own = { ...env, GIT_CONFIG_PARAMETERS: withHooks(env['GIT_CONFIG_PARAMETERS'], PLACE) };
  const args = ['config', '--get', 'core.hooksPath'];
  const said = await run('git', args, { cwd: '/', env: own, timeout: WITHIN_MS }).catch(() => null);
  return {
    hooks: said?.stdout.trim() === PLACE,
    programs: FORGE_PROGRAMS.filter((name) => findExecutable(name, env, '', []) !== null),
  };
}
