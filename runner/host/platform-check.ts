import { EXIT, Failure } from '../failure.ts';

const NODE_MAJOR_MIN = 24;

export type PlatformProblem = { code: string; message: string; remedy: string };

/** What about this machine keeps Pilothouse from running; null when nothing does. */
export function checkPlatform(platform: string, nodeVersion: string): PlatformProblem | null {
  if (platform === 'win32') {
    return {
      code: 'windows',
      message:
        'Pilothouse runs on Linux and macOS, and on Windows inside WSL2, not on Windows itself.',
      remedy:
        'Install WSL2 with `wsl --install`, then clone the repository and run `npm start` inside it.',
    };
  }
  const major = Number.parseInt(nodeVersion.replace(/^v/, ''), 10);
  if (!(major >= NODE_MAJOR_MIN)) {
    return {
      code: 'node_too_old',
      message: `This process runs on Node ${nodeVersion}; Pilothouse needs Node ${NODE_MAJOR_MIN}, which its own packages bring along.`,
      remedy: 'Start it with `npm start`, or run `npm ci` first.',
    };
  }
  return null;
}

/** Ends with a sentence on a machine where nothing would work. */
export function requirePlatform(platform: string, nodeVersion: string): void {
  const problem = checkPlatform(platform, nodeVersion);
  if (problem) throw new Failure(EXIT.failed, problem.code, `${problem.message} ${problem.remedy}`);
}
