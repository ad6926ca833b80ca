import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { PilothouseError, type ErrorCode } from '../protocol/errors.ts';
import type { PolicyMode } from '../protocol/merge-policy.ts';
import type { Grade } from '../protocol/grade.ts';
import type { Network } from '../protocol/network.ts';
import { ANSWER_MAX_MS, NO_OUTPUT_MAX_MS, START_MS, type LaunchSpec } from '../protocol/launch.ts';
import type { MachineFacts } from '../protocol/machine.ts';
import { DAY_MS, KEPT_MS, type MachineKept } from '../protocol/retention.ts';
import { dataDirectoryOf } from './host/layout.ts';
import type { ForgeLimits } from './broker/address.ts';
import { forgeLimitsOf } from './limits/forges.ts';
import { terminalLimitsOf, type TerminalLimits } from './limits/terminal.ts';
import { isOwnPlace } from './limits/own-places.ts';
import { expandHome, isWithin, realPathOf } from './limits/paths.ts';
import { parseLimitsFile, type LimitsFile } from './limits/schema.ts';
import { readTrusted, unreadable } from './limits/trusted-file.ts';
import { homeOf } from './home.ts';
import type { Secret } from './guard/secrets.ts';

/** What one repository's own checkouts get beside what git holds. */
export type RepositoryLimits = {
  /** Top of the repository, without symbolic links. */
  directory: string;
  include: readonly string[];
  /** Approved by standing in the file; null runs nothing. */
  setup: string | null;
  setupTimeoutMs: number;
  /** Places of the machine that its sealed sessions may read beside, without symbolic links. */
  show: readonly string[];
  /** Branches that no session moves, beside the default one: patterns. */
  protectedBranches: readonly string[];
  pushTags: boolean;
  /** The most that a merge policy may allow here. */
  mergeAtMost: PolicyMode;
  /** Variables that its sessions keep although they look like secrets. */
  variables: readonly string[];
  /** Hosts that its sessions reach which are kept to their model, as `name` or `name:port`. */
  hosts: readonly string[];
};

/** What this machine allows, whoever asks. */
export type Limits = {
  /** The file that says so; null when there is none and the safe defaults hold. */
  source: string | null;
  /** The directory of that file, whether there is one yet or not: no session may write there. */
  configuration: string | null;
  /** Real paths of the runner's own directories, below which sessions write. */
  own: readonly string[];
  /** Without symbolic links. */
  directories: readonly string[];
  /** Null is every engine that the runner knows. */
  engines: readonly string[] | null;
  bypass: boolean;
  /** Whether a checkout may be removed on request although work in it would be lost. */
  discard: boolean;
  /** A person may take a session over, in the engine's own terminal. */
  takeover: boolean;
  /** A server that a session runs may be opened in a browser of the machine. */
  preview: boolean;
  /** Calls that an API key pays for go through the model gate. */
  modelGate: boolean;
  /** Longest silence that a launch may ask for, in milliseconds. */
  noOutputMaxMs: number;
  /** Longest that an engine may say nothing when it is started, in milliseconds. */
  startMs: number;
  /** Longest that an approval may wait for a person, in milliseconds. */
  answerMaxMs: number;
  /** What every session must be at least. */
  minimumGrade: Grade;
  /** What a session is that asks for no grade; null is the strictest that works. */
  usualGrade: Grade | null;
  /** The most that a session may reach, and what one reaches that asks for nothing. */
  minimumNetwork: Network;
  usualNetwork: Network;
  commands: readonly string[];
  /** Variables whose values are secrets although their names do not look like it. */
  secretVariables: readonly string[];
  /** Literals and patterns that are redacted wherever they stand. */
  secretPatterns: readonly Secret[];
  repositories: readonly RepositoryLimits[];
  /** Where pull requests are opened for sessions, beside GitHub itself. */
  forges: readonly ForgeLimits[];
  /** What operators may reach of the person's own terminals. */
  terminal: TerminalLimits;
  /** How long what is no part of a record is kept here. */
  kept: MachineKept;
};

export type LaunchDecision =
  | { allowed: true }
  | { allowed: false; code: ErrorCode; detail: string };

/** Where the limits stand: `PILOTHOUSE_LIMITS`, else the configuration directory of `env`'s person. */
export function findLimitsPath(env: NodeJS.ProcessEnv, home = homeOf(env)): string {
  const named = env['PILOTHOUSE_LIMITS'];
  if (named) return expandHome(named, home);
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'pilothouse', 'limits.toml');
}

/**
 * Reads the machine's limits, fresh at every command, so that an edit counts at once. No file
 * means the safe defaults: the home directory, every known engine, no bypass, no command lines.
 *
 * Throws `limits_unreadable`, with the line where there is one, for a file that cannot be read,
 * that does not parse, or that other users of the machine could have written.
 */
export function readLimits(
  path: string | null,
  home = homedir(),
  own: readonly string[] = [],
): Limits {
  return { ...readFileLimits(path, home), own: own.map(realPathOf) };
}

/**
 * The limits of the machine that an environment describes, its runner's own directories among
 * them; `more` are such directories that the environment does not name. Throws as {@link readLimits}.
 */
export function readMachineLimits(env: NodeJS.ProcessEnv, more: readonly string[] = []): Limits {
  return readLimits(findLimitsPath(env), homeOf(env), [dataDirectoryOf(undefined, env), ...more]);
}

/** Whether the machine leads calls through the model gate. Limits that cannot be read lead nothing. */
export function allowsModelGate(env: NodeJS.ProcessEnv): boolean {
  try {
    return readMachineLimits(env).modelGate;
  } catch {
    return false;
  }
}

function readFileLimits(path: string | null, home: string): Omit<Limits, 'own'> {
  const text = path === null ? null : readTrusted(path);
  const configuration = path === null ? null : realPathOf(dirname(path));
  if (path === null || text === null)
    return limitsOf(
      {
        bypass: false,
        discard: true,
        takeover: true,
        preview: true,
        model_gate: true,
        minimum_grade: 'open',
        minimum_network: 'open',
        default_network: 'open',
        commands: [],
        secret_variables: [],
        secret_patterns: [],
        repositories: [],
      },
      null,
      configuration,
      home,
    );
  const parsed = parseLimitsFile(text);
  if (parsed.kind === 'valid') return limitsOf(parsed.file, path, configuration, home);
  const { line, reason } = parsed.fault;
  throw unreadable(path, line, reason);
}

const keptOf = (said: LimitsFile['keep'] = {}): MachineKept => ({
  checkout: daysOr(said.checkout_days, KEPT_MS.checkout),
  output: daysOr(said.output_days, KEPT_MS.output),
  image: daysOr(said.image_days, KEPT_MS.image),
});

const daysOr = (days: number | undefined, usualMs: number): number =>
  days === undefined ? usualMs : Math.round(days * DAY_MS);

/** How long things are kept on the machine; null where its limits cannot be read, and nothing may go. */
export function readKept(env: NodeJS.ProcessEnv): MachineKept | null {
  try {
    return readMachineLimits(env).kept;
  } catch {
    return null;
  }
}

function limitsOf(
  file: LimitsFile,
  source: string | null,
  configuration: string | null,
  home: string,
): Omit<Limits, 'own'> {
  const real = (path: string): string => realPathOf(expandHome(path, home));
  return {
    source,
    configuration,
    directories: (file.directories ?? ['~']).map(real),
    engines: file.engines ?? null,
    bypass: file.bypass,
    discard: file.discard,
    takeover: file.takeover,
    preview: file.preview,
    modelGate: file.model_gate,
    noOutputMaxMs: Math.round((file.no_output_minutes ?? NO_OUTPUT_MAX_MS / 60_000) * 60_000),
    startMs: Math.round((file.start_minutes ?? START_MS / 60_000) * 60_000),
    answerMaxMs: Math.round((file.answer_hours ?? ANSWER_MAX_MS / 3_600_000) * 3_600_000),
    minimumGrade: file.minimum_grade,
    usualGrade: file.default_grade ?? null,
    minimumNetwork: file.minimum_network,
    usualNetwork: file.default_network,
    commands: file.commands,
    secretVariables: file.secret_variables,
    secretPatterns: file.secret_patterns.map(({ name, pattern, literal = '' }) =>
      pattern === undefined ? { name, value: literal } : { name, value: pattern, pattern: true },
    ),
    terminal: terminalLimitsOf(file.terminal, real),
    forges: forgeLimitsOf(file.forges),
    kept: keptOf(file.keep),
    repositories: file.repositories.map((repository) => ({
      directory: real(repository.directory),
      include: repository.include,
      setup: repository.setup ?? null,
      setupTimeoutMs: repository.setup_seconds * 1000,
      show: repository.show.map(real),
      variables: repository.variables,
      hosts: repository.hosts,
      protectedBranches: repository.protected,
      pushTags: repository.push_tags,
      mergeAtMost: repository.merge,
    })),
  };
}

/**
 * Decides whether a launch keeps to the limits. `realDirectory` is where it would work, without
 * symbolic links. A launch that names no directory works in a repository that the runner makes
 * for it, which no limit of the person's is about.
 */
export function decideLaunchAllowed(
  limits: Limits,
  launch: LaunchSpec,
  realDirectory: string,
): LaunchDecision {
  if (limits.engines !== null && !limits.engines.includes(launch.engineId)) {
    return { allowed: false, code: 'engine_not_allowed', detail: launch.engineId };
  }
  if (launch.approvals === 'bypass' && !limits.bypass) {
    return { allowed: false, code: 'approvals_not_allowed', detail: 'bypass' };
  }
  if (launch.noOutputMs > limits.noOutputMaxMs) {
    const detail = `at most ${limits.noOutputMaxMs / 60_000} minutes`;
    return { allowed: false, code: 'silence_not_allowed', detail };
  }
  if (launch.answerMs > limits.answerMaxMs) {
    const detail = `at most ${limits.answerMaxMs / 3_600_000} hours`;
    return { allowed: false, code: 'answer_time_not_allowed', detail };
  }
  if (launch.directory === null) return { allowed: true };
  const code = directoryObstacle(limits, realDirectory);
  return code === null ? { allowed: true } : { allowed: false, code, detail: realDirectory };
}

/** Throws what keeps sessions from working in a real path; `detail` says which path was asked for. */
export function demandDirectory(
  limits: Limits,
  realDirectory: string,
  detail = realDirectory,
): void {
  const code = directoryObstacle(limits, realDirectory);
  if (code !== null) throw new PilothouseError(code, { detail });
}

function directoryObstacle(limits: Limits, realDirectory: string): ErrorCode | null {
  if (isOwnPlace(limits.own, realDirectory)) return 'directory_reserved';
  return isDirectoryAllowed(limits, realDirectory) ? null : 'directory_not_allowed';
}

/**
 * Whether sessions may work in a real path. The limits' own directory is never one of them,
 * because a session there could widen what holds it; nor is what sessions themselves write.
 */
export function isDirectoryAllowed(limits: Limits, realDirectory: string): boolean {
  const { configuration: own } = limits;
  if (isOwnPlace(limits.own, realDirectory)) return false;
  if (own !== null && isOwnConfiguration(own, limits, realDirectory)) return false;
  return limits.directories.some((directory) => isWithin(directory, realDirectory));
}

/** A person who names the directory of the file itself has decided; one above it has not. */
function isOwnConfiguration(own: string, limits: Limits, realDirectory: string): boolean {
  return (
    isWithin(own, realDirectory) &&
    !limits.directories.some((directory) => isWithin(own, directory))
  );
}

/** What the limits give a repository, by the real path of its top. */
export function findRepositoryLimits(limits: Limits, top: string): RepositoryLimits | null {
  return limits.repositories.find((repository) => repository.directory === top) ?? null;
}

/** How long an engine may say nothing when it is started, in ms; limits that cannot be read say nothing of it. */
export function readStartMs(env: NodeJS.ProcessEnv): number {
  try {
    return readMachineLimits(env).startMs;
  } catch {
    return START_MS;
  }
}

/** The limits as the machine tells them: shown in the console, never read back from there. */
export function limitsFacts(
  limits: Limits,
  knownEngines: readonly string[],
): MachineFacts['limits'] {
  return {
    source: limits.source,
    directories: [...limits.directories],
    engines: [...(limits.engines ?? knownEngines)],
    bypass: limits.bypass,
    noOutputMaxMs: limits.noOutputMaxMs,
    startMs: limits.startMs,
    answerMaxMs: limits.answerMaxMs,
    minimumGrade: limits.minimumGrade,
    defaultGrade: limits.usualGrade,
    minimumNetwork: limits.minimumNetwork,
    defaultNetwork: limits.usualNetwork,
    takeover: limits.takeover,
    secretPatterns: limits.secretPatterns.length,
    kept: limits.kept,
  };
}
