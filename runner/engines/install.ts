import { basename } from 'node:path';
import { BUILT_IN_PRESETS } from '../../protocol/builtin-presets.ts';
import type { NotReady } from './engine.ts';
import { type AskedVersion, ANSWER_WITHIN_MS } from './executable.ts';

type InTheWay = { problem: string; remedy: string; failure: NotReady };

/** How to get a program, as a sentence that ends in looking again; null for one that nobody knows. */
export function installRemedy(program: string, verb = 'Install it'): string | null {
  const source = BUILT_IN_PRESETS.find(({ preset }) => preset.command[0] === program)?.source;
  if (!source) return null;
  return 'npm' in source
    ? `${verb} with \`npm install --global ${source.npm}\`, then look again.`
    : `${verb} from ${source.page}, then look again.`;
}

/** What is in the way where a known engine's program is not on the machine. */
export const notInstalled = (program: string): InTheWay => ({
  problem: `${program} is not installed.`,
  remedy: installRemedy(program) ?? `Install ${program}, then look again.`,
  failure: 'engine_missing',
});

/**
 * What is in the way of a program that is there and told no version. One that did not answer in
 * time is installed: the machine may only be busy.
 */
export function withoutVersion(executable: string, { late }: AskedVersion): InTheWay {
  const line = `${executable} --version`;
  if (late)
    return {
      problem: `\`${line}\` did not answer within ${ANSWER_WITHIN_MS / 1_000} s, and nothing else says its version.`,
      remedy: `Look again: the machine may have been busy. If it stays so, run \`${line}\` there and see what it waits for.`,
      failure: 'preflight_slow',
    };
  const again = installRemedy(basename(executable), 'install it again');
  return {
    problem: `${executable} does not say its version, so it cannot be used.`,
    remedy: `Run \`${line}\` there and see what it says${again ? `; if it is broken, ${again}` : ', then look again.'}`,
    failure: 'engine_crashed',
  };
}
