import { formatBytes } from '../../protocol/bytes.ts';
import type { SealSupport } from '../../protocol/grade.ts';
import type { DoctorFinding, EngineReadiness } from '../../protocol/machine.ts';
import { checkPlatform } from '../host/platform-check.ts';
import { FREE_FLOOR_BYTES } from '../process/free-space.ts';
import { shellWord } from '../../protocol/shell-word.ts';

const GIB = 1024 ** 3;
/** Below this a checkout or an engine's own files may not fit. */
const DISK_LOW_BYTES = 2 * GIB;
/** Watches that one engine in a mid-sized repository takes. */
const INOTIFY_LOW = 65_536;

const ok = (check: string, message: string): DoctorFinding => ({
  check,
  status: 'ok',
  message,
  remedy: null,
});
const warning = (check: string, message: string, remedy: string): DoctorFinding => ({
  check,
  status: 'warning',
  message,
  remedy,
});
const problem = (check: string, message: string, remedy: string): DoctorFinding => ({
  check,
  status: 'problem',
  message,
  remedy,
});

/** The system and Node together: what nothing works without. */
export function checkSystem(platform: string, release: string, nodeVersion: string): DoctorFinding {
  const found = checkPlatform(platform, nodeVersion);
  if (found) return problem('system', found.message, found.remedy);
  const inside = platform === 'linux' && /microsoft/i.test(release) ? ' (WSL)' : '';
  return ok(
    'system',
    `${platform === 'darwin' ? 'macOS' : platform}${inside}, Node ${nodeVersion}`,
  );
}

/** Free space where the data lies, in bytes. */
export function checkDisk(freeBytes: number, directory: string): DoctorFinding {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB free at ${directory}`;
  if (freeBytes < FREE_FLOOR_BYTES)
    return problem('disk', `${free}: no engine is started below 1 GiB.`, freeSpace(directory));
  if (freeBytes < DISK_LOW_BYTES)
    return warning('disk', `${free}: a large checkout may not fit.`, freeSpace(directory));
  return ok('disk', free);
}

const freeSpace = (directory: string): string =>
  `\`pilothouse checkouts remove --all\` removes every checkout of which nothing would be lost. What else takes the space: \`du -xh ${shellWord(directory)} | sort -h | tail\`.`;

export type DirectoryFacts = { exists: boolean; writable: boolean; mode: number };

/** The data directory: it holds transcripts and tokens, so others must not read what is in it. */
export function checkDataDirectory(directory: string, facts: DirectoryFacts): DoctorFinding {
  if (!facts.exists) return ok('data', `${directory} is made at the first start.`);
  if (!facts.writable) {
    return problem(
      'data',
      `${directory} cannot be written, so nothing can be kept.`,
      `\`sudo chown -R "$(id -un)" ${shellWord(directory)} && chmod 700 ${shellWord(directory)}\``,
    );
  }
  if ((facts.mode & 0o077) !== 0) {
    return warning(
      'data',
      `Others on this machine can look into ${directory}.`,
      `\`chmod 700 ${shellWord(directory)}\``,
    );
  }
  return ok('data', `${directory} is yours alone.`);
}

/** The kernel's limit of file watches; null where there is none (macOS). */
export function checkWatches(limit: number | null): DoctorFinding | null {
  if (limit === null) return null;
  if (limit >= INOTIFY_LOW) return ok('watches', `${limit} file watches allowed`);
  return warning(
    'watches',
    `Only ${limit} files can be watched; tools that watch a large repository may fail.`,
    `\`sudo sysctl fs.inotify.max_user_watches=${INOTIFY_LOW * 8}\``,
  );
}

/** What came of reaching the instance that this machine works for. */
export type LinkFacts =
  | { kind: 'none' }
  | { kind: 'answers'; url: string; version: string }
  /** `named`: PILOTHOUSE_URL says so. Else it is the instance of this machine. */
  | { kind: 'silent'; url: string; reason: string; named?: true };

export function checkLink(facts: LinkFacts): DoctorFinding {
  switch (facts.kind) {
    case 'none':
      return ok('link', 'No instance runs here now. npm start starts one.');
    case 'answers':
      return ok('link', `${facts.url} answers, version ${facts.version}`);
    case 'silent':
      return problem(
        'link',
        `${facts.url} does not answer (${facts.reason}), so no session can run.`,
        facts.named
          ? `\`curl -sS ${shellWord(new URL('/v1/health', facts.url).href)}\` shows who answers there; start Pilothouse there, or take the name away with \`unset PILOTHOUSE_URL\`.`
          : '`pilothouse up`',
      );
    default:
      return facts satisfies never;
  }
}

/**
 * The runner that `npm start` keeps running here; null where it keeps none. One that is away now
 * has ended and waits to be started again, for longer each time.
 */
export function checkRunner(running: boolean | null, log: string): DoctorFinding | null {
  if (running === null) return null;
  if (running) return ok('runner', 'The runner of this machine is running.');
  return problem(
    'runner',
    'The runner of this machine has ended, so no session can run. It is started again after a pause.',
    `\`tail -n 20 ${shellWord(log)}\` shows its last words. No command can know what they name; remove that.`,
  );
}

/**
 * Each engine, and whether any of the real ones is ready. One that is missing is only a warning:
 * nobody has all of them.
 */
export function checkEngines(engines: readonly EngineReadiness[]): DoctorFinding[] {
  return engines.map((engine) => {
    const check = `engine ${engine.engineId}`;
    if (engine.ready) {
      const payer = engine.credential ? `, signed in with ${engine.credential}` : '';
      const said = `${engine.label}${engine.version ? ` ${engine.version}` : ''} is ready${payer}`;
      const aside = [...(engine.warnings ?? []), ...ruledOut(engine)];
      if (aside.length === 0) return ok(check, said);
      const [problems, remedies] = [
        aside.map((each) => each.problem),
        aside.map((each) => each.remedy),
      ];
      return warning(
        check,
        [`${said}.`, ...problems].join(' '),
        remedies.filter(Boolean).join(' '),
      );
    }
    return warning(
      check,
      engine.problem ?? `${engine.label} is not ready.`,
      engine.remedy ?? 'No command is known for it: see its own documentation.',
    );
  });
}

/** Approvals modes that an engine's own settings rule out: each says what to do itself. */
const ruledOut = ({ refusedModes = [] }: EngineReadiness) =>
  refusedModes.map(({ mode, problem: why }) => ({
    problem: `Not with the approvals mode \`${mode}\`.`,
    remedy: why,
  }));

/** Sessions of which the server does not know, so that what they did is only on this machine. */
export function checkSetAside(
  count: number,
  directory: string,
  pidFile: string,
): DoctorFinding | null {
  if (count === 0) return null;
  const sessions = count === 1 ? 'one session' : `${count} sessions`;
  return warning(
    'events',
    `The server does not take the events of ${sessions}, so they are kept here and not sent.`,
    `Start the server with the data that it had. Then \`rm -- ${shellWord(directory)}/* && kill "$(cat ${shellWord(pidFile)})"\` sends them once more: the runner is started again by itself.`,
  );
}

/** The checkouts of sessions. `bytes` is null when measuring them took too long. */
export function checkCheckouts(
  count: number,
  bytes: number | null,
  directory: string,
): DoctorFinding {
  if (count === 0) return ok('checkouts', 'No session has a checkout now.');
  const size = bytes === null ? 'of a size not measured in time' : formatBytes(bytes);
  const what = count === 1 ? 'One checkout' : `${count} checkouts`;
  return ok('checkouts', `${what}, ${size}, at ${directory}`);
}

/** limits.toml: a file that cannot be read, for one bad pattern too, refuses every launch. */
export function checkLimits(
  source: string | null,
  failure: string | null,
  { secretPatterns = 0, path = source }: { secretPatterns?: number; path?: string | null } = {},
): DoctorFinding {
  if (failure !== null)
    return problem(
      'limits',
      failure,
      `Until it is right every launch is refused: \`\${EDITOR:-vi} ${shellWord(path ?? 'limits.toml')}\``,
    );
  if (source === null) return ok('limits', 'No limits.toml: the safe defaults hold.');
  const patterns =
    secretPatterns > 0 ? ` Its secret patterns are looked for everywhere: ${secretPatterns}.` : '';
  return ok('limits', `${source} is read and holds.${patterns}`);
}

/** Whether sessions can be sealed here, and what does not work inside a seal. */
export function checkSeal(support: SealSupport): DoctorFinding {
  const { available, problem: found, remedy, networkProblem } = support;
  if (available && typeof networkProblem === 'string')
    return warning(
      'seal',
      `Sessions are sealed, and none can be kept to its model (network model-only). ${networkProblem}`,
      'No command can do it from here: what runs this machine (a container, a kernel of a provider) keeps network namespaces from it. In a container of docker, add `--security-opt seccomp=unconfined --security-opt apparmor=unconfined` to its `docker run`; sessions with the network `open` work meanwhile.',
    );
  if (available) {
    return ok(
      'seal',
      'Sessions are sealed. Docker, connectors (MCP servers) of your own and tools that need your logins do not work inside; `show` and `variables` in limits.toml add places and names.',
    );
  }
  return warning(
    'seal',
    `Sessions cannot be sealed here, so they are fenced. ${found ?? ''}`.trim(),
    remedy ??
      'No command can change that here; docs/sealing.md says what a fence does not prevent.',
  );
}
