import { REHEARSAL_ENGINE_ID } from '../../../protocol/launch.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { decidePackages, installCommand } from '../../host/packages.ts';
import type { EngineProbe } from '../engine.ts';
import { REHEARSAL_EXECUTABLE } from './preset.ts';
import { VERSION } from './version.ts';

const run = promisify(execFile);

/** The rehearsal comes with the product; all it needs from the machine is git and bash. */
export const probeRehearsal: EngineProbe = async (env) => {
  const found = {
    engineId: REHEARSAL_ENGINE_ID,
    label: 'Rehearsal',
    version: VERSION,
    payer: 'unknown' as const,
    credential: null,
    approvals: ['ask', 'accept_edits', 'bypass'] as const,
    executable: REHEARSAL_EXECUTABLE,
  };
  const missing = await firstMissing(['git', 'bash'], env);
  const approvals = [...found.approvals];
  if (!missing) return { ...found, approvals, ready: true, problem: null, remedy: null };
  const problem = `${missing} is not installed, and the rehearsal really uses it.`;
  return {
    ...found,
    approvals,
    ready: false,
    problem,
    remedy: installCommand(decidePackages(process.platform, readRelease()), missing),
    failure: 'engine_missing',
  };
};

function readRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    // Not a Linux, or one that does not say which.
    return '';
  }
}

async function firstMissing(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  for (const name of names) {
    const works = await run(name, ['--version'], { env, timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!works) return name;
  }
  return null;
}
