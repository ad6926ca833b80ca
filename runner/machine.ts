import { arch, hostname } from 'node:os';
import { ANSWER_MAX_MS, NO_OUTPUT_MAX_MS } from '../protocol/launch.ts';
import { sealSupport } from '../protocol/grade.ts';
import { engineReadiness, type EngineReadiness, type MachineFacts } from '../protocol/machine.ts';
import type { TerminalCapabilities } from '../protocol/terminal.ts';
import { readVersion } from './cli/version.ts';
import type { Readiness } from './engines/engine.ts';
import { OFFERED } from './engines/registry.ts';
import { probeSeal } from './seal/probe.ts';
import { homeOf } from './home.ts';
import { findLimitsPath, limitsFacts, readLimits } from './limits.ts';

/** What this machine tells of itself. Limits that cannot be read allow nothing, and are shown so. */
export function readMachineFacts(
  env: NodeJS.ProcessEnv,
  engines: readonly EngineReadiness[],
  terminals: readonly TerminalCapabilities[] | null = null,
): MachineFacts {
  return {
    hostname: hostname(),
    platform: process.platform,
    arch: arch(),
    nodeVersion: process.version,
    pilothouseVersion: readVersion(),
    homeDirectory: homeOf(env),
    limits: readLimitsFacts(env),
    engines: [...engines],
    images: true,
    forks: true,
    seal: sealSupport.parse(probeSeal(env)),
    ...(terminals && { terminals: [...terminals] }),
  };
}

/** A readiness as it is told: where the executable lies is nobody else's business. */
export function withoutExecutable(readiness: Readiness): EngineReadiness {
  return engineReadiness.parse(readiness);
}

function readLimitsFacts(env: NodeJS.ProcessEnv): MachineFacts['limits'] {
  const path = findLimitsPath(env);
  const known = OFFERED.map((engine) => engine.id);
  try {
    return limitsFacts(readLimits(path, homeOf(env)), known);
  } catch {
    // The doctor and every refused launch tell the fault; here it is simply a machine that says no.
    return {
      source: path,
      directories: [],
      engines: [],
      bypass: false,
      noOutputMaxMs: NO_OUTPUT_MAX_MS,
      answerMaxMs: ANSWER_MAX_MS,
      minimumGrade: 'sealed',
      defaultGrade: null,
      minimumNetwork: 'model-only',
      defaultNetwork: 'model-only',
      takeover: false,
    };
  }
}
