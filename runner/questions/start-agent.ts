import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import { isOlder } from '../engines/executable.ts';
import { claudePermissions } from '../engines/tool-policy.ts';
import { shellWord } from '../../protocol/shell-word.ts';

/** What an agent is given so that it asks through its own hooks. */
export type Hooking = {
  /** Proves whose question it is; a secret, and never an argument. */
  token: string;
  /** The words of its hook's program, but for those that end them. */
  hook: readonly [string, ...string[]];
  /** Keeps settings where an agent reads them, and answers the path of the file. */
  keep(settings: string): string;
  /** The directory of those files, in which no agent may change what it is held to. */
  kept: string;
  /** Which agents may be given hooks on this machine. */
  engines: readonly HookedEngine[];
  /** What the policy denies and asks about, for an agent that takes it as permissions of its own. */
  rules: readonly ToolRule[];
};

/** The variable that the token is in. */
const TOKEN_VARIABLE = 'PILOTHOUSE_ASK';
/**
 * How long a hook looks for a runner that is away, in ms: as long as a question stands where the
 * agent's dialog is open beside it, and shortly where that comes only after it.
 */
const BESIDE_MS = 60 * 60_000;
const BEFORE_MS = 60_000;
/** How long the agent lets its hook wait, in seconds: longer than any question stands. */
const HOOK_TIMEOUT_SECONDS = 4_000;

/** What is said before the name of an agent's program, and behind it. */
type Words = { before?: readonly string[]; after?: readonly string[] };

/** Agents whose hooks can answer a question, by the name of their program. */
const HOOKED = {
  claude: claudeWords,
  codex: codexWords,
  opencode: opencodeWords,
  qwen: qwenWords,
} as const;
export type HookedEngine = keyof typeof HOOKED;
const ENGINES = Object.keys(HOOKED) as HookedEngine[];

const commandOf = ({ hook }: Hooking, ...end: (string | number)[]): string =>
  [...hook, ...end.map(String)].map((word) => shellWord(word)).join(' ');

/**
 * Claude's settings for one process, beside all of the person's own, in a file: a policy may have
 * more rules than an argument has room for, and signs that shells read otherwise. The rules hold also for what it
 * asks nobody about, as reading a file where it works; what they allow is no permission of the
 * person's, and is left to whoever answers the hook. The
 * file itself is among what it may not change.
 * Source: code.claude.com/docs/en/hooks (PermissionRequest); it asks its hook and shows its dialog
 * at once, and takes whichever answers first; seen with 2.1.332.
 */
function claudeWords(hooking: Hooking): Words {
  const command = commandOf(hooking, BESIDE_MS, 'claude');
  const handler = { type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS };
  const hooks = { PermissionRequest: [{ matcher: '*', hooks: [handler] }] };
  const own: ToolRule = { effect: 'deny', on: 'edit', pattern: `${hooking.kept}/**` };
  const { deny, ask } = claudePermissions([...hooking.rules, own]);
  const settings = { hooks, permissions: { deny, ask } };
  return { after: ['--settings', hooking.keep(JSON.stringify(settings))] };
}

/**
 * Codex's configuration for one process. It runs a hook only where its hash is trusted, and a hash
 * among its options trusts that hook alone, where its own flag would trust those of every checkout.
 * Source: codex-rs/hooks/src/engine/discovery.rs of openai/codex; it asks its hook first and shows
 * its dialog when that says nothing; seen with 0.171.0, whose `hooks/list` says that it is trusted.
 */
function codexWords(hooking: Hooking): Words {
  const command = commandOf(hooking, BEFORE_MS, 'codex');
  const timeout = HOOK_TIMEOUT_SECONDS;
  // Keys in the order of the alphabet, as the hash is made.
  const handler = { async: false, command, timeout, type: 'command' };
  const identity = JSON.stringify({ event_name: 'permission_request', hooks: [handler] });
  const hash = `sha256:${createHash('sha256').update(identity).digest('hex')}`;
  const said = `{type="command",command=${JSON.stringify(command)},timeout=${timeout}}`;
  const key = '/<session-flags>/config.toml:permission_request:0:0';
  const options = [
    `hooks.PermissionRequest=[{hooks=[${said}]}]`,
    `hooks.state={"${key}"={trusted_hash="${hash}"}}`,
  ];
  // A daemon that every codex of the person shares would run the hook, and has no token.
  return { after: ['--no-daemon', ...options.flatMap((option) => ['-c', option])] };
}

const PLUGIN = new URL('./opencode-plugin.ts', import.meta.url).href;
/** Becomes the program with the configuration, where the person has not set one of their own. */
const WITH_CONFIG = `[ -n "$OPENCODE_CONFIG_CONTENT" ] || export OPENCODE_CONFIG_CONTENT="$0"; exec "$@"`;

/**
 * OpenCode's configuration for one process, which it lays over the person's own: one more plugin.
 * Source: opencode.ai/docs/config (`OPENCODE_CONFIG_CONTENT`, `plugin`); seen with 1.18.33.
 */
function opencodeWords({ hook }: Hooking): Words {
  const options = { hook: [...hook, String(BESIDE_MS), 'opencode'] };
  const config = JSON.stringify({ plugin: [[PLUGIN, options]] });
  return { before: ['env', 'sh', '-c', WITH_CONFIG, config] };
}

/** Becomes the program with the settings, where nobody has set any for the whole machine. */
const WITH_SETTINGS = [
  '[ -n "$QWEN_CODE_SYSTEM_SETTINGS_PATH" ]',
  '[ -e /etc/qwen-code/settings.json ]',
  '[ -e "/Library/Application Support/QwenCode/settings.json" ]',
  'export QWEN_CODE_SYSTEM_SETTINGS_PATH="$0"; exec "$@"',
].join(' || ');

/**
 * Qwen Code's settings of the machine for one process; hooks are added to the person's own.
 * Source: the settings schema and packages/core/src/hooks of QwenLM/qwen-code, where a timeout from
 * 1,000 on is in ms; it asks its hook first, and shows its dialog when that says nothing.
 */
function qwenWords(hooking: Hooking): Words {
  const command = commandOf(hooking, BEFORE_MS, 'qwen');
  const handler = { type: 'command', command, timeout: HOOK_TIMEOUT_SECONDS * 1_000 };
  const hooks = { PermissionRequest: [{ matcher: '*', hooks: [handler] }] };
  const settings = hooking.keep(JSON.stringify({ hooks, $version: 4 }));
  return { before: ['env', 'sh', '-c', WITH_SETTINGS, settings] };
}

/** Where claude's own installer and the packages keep them, under whatever name. */
const KEPT: readonly (readonly [HookedEngine, RegExp])[] = [
  ['claude', /\/claude\/versions\/|\/@anthropic-ai\/claude-code\//],
  ['codex', /\/@openai\/codex\//],
  ['opencode', /\/opencode-ai\//],
  ['qwen', /\/@qwen-code\/qwen-code\//],
];
/** The oldest of each that was tried; a claude passes over what it does not know. */
const TRIED = {
  claude: null,
  codex: [0, 171, 0],
  opencode: [1, 18, 33],
  qwen: [0, 24, 4],
} as const;

/** An option of the person's own that ours would stand against, or a use without a dialog. */
const THEIRS: Readonly<Record<HookedEngine, RegExp>> = {
  claude: /(^|\s)--settings([\s=]|$)/,
  codex: /(^|[\s'"=])hooks[.=]|--dangerously-bypass-hook-trust/,
  opencode: /^\s*(run|serve|web|acp|attach)(\s|$)/,
  qwen: /(^|\s)(-p|--prompt|--acp|--input-format)([\s=]|$)/,
};

/** The agent that a word of a command line names; null for every other program. Pure. */
export function hookedEngine(
  word: string,
  realOf: (path: string) => string = real,
): HookedEngine | null {
  const path = word.includes('/') ? realOf(word) : word;
  const [kept] = KEPT.find(([, where]) => where.test(path)) ?? [];
  const names = [basename(path), basename(word)];
  return kept ?? ENGINES.find((engine) => names.includes(engine)) ?? null;
}

/**
 * A program and its arguments, begun so that it asks through its hooks; null where it is no such
 * agent, or somebody set what ours would stand against. Pure but for reading links.
 */
export function hookedArgv(argv: readonly string[], hooking: Hooking): string[] | null {
  const at = programIn(argv);
  const word = at === null ? undefined : argv[at];
  const engine = word === undefined ? null : hookedEngine(word);
  if (at === null || word === undefined || !engine || !hooking.engines.includes(engine))
    return null;
  const rest = argv.slice(at + 1);
  if (THEIRS[engine].test(rest.join(' '))) return null;
  const { before = [], after = [] }: Words = HOOKED[engine](hooking);
  return [...argv.slice(0, at), ...before, word, ...after, ...rest];
}

/** Where the program stands: behind an `env` that only sets variables or goes to a directory. */
function programIn(argv: readonly string[]): number | null {
  if (basename(argv[0] ?? '') !== 'env') return 0;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '-C' || word === '--chdir') at += 1;
    else if (!/^([A-Za-z_]\w*=|--chdir=)/s.test(word)) return word.startsWith('-') ? null : at;
  }
  return null;
}

/** Variables and a change of directory in plain words may stand before the program. */
const PLAIN = String.raw`[\w@%+=:,./~-]`;
const LINE = new RegExp(
  String.raw`^(\s*(?:cd\s+${PLAIN}+\s*(?:&&|;)\s*)?(?:[A-Za-z_]\w*=${PLAIN}*\s+)*)(${PLAIN}+)(?=\s|$)([^]*)$`,
);

/**
 * A command line for bash, zsh, dash or fish whose first program is such an agent, begun so that it
 * asks through its hooks; null otherwise. It is for a file that is the person's alone. Pure.
 */
export function hookedLine(line: string, hooking: Hooking): string | null {
  const [, before = '', word = '', rest = ''] = LINE.exec(line) ?? [];
  const engine = word === '' || word.includes('=') ? null : hookedEngine(word);
  if (!engine || !hooking.engines.includes(engine) || THEIRS[engine].test(rest)) return null;
  const { before: first = [], after = [] }: Words = HOOKED[engine](hooking);
  // Between single quotes fish reads a backslash otherwise than the others do.
  if ([...first, ...after].some((each) => /['\\]/.test(each))) return null;
  const said = [...first.map(shellWord), word, ...after.map(shellWord)].join(' ');
  return `${before}${TOKEN_VARIABLE}=${shellWord(hooking.token)} ${said}${rest}`;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Which agents may be given hooks: an older one than was tried may not begin with them, or not ask.
 * Pure.
 */
export const hookedHere = (
  engines: readonly { engineId: string; version: string | null }[],
): HookedEngine[] =>
  ENGINES.filter((engine) => {
    const tried = TRIED[engine];
    return (
      tried === null ||
      engines.some(
        ({ engineId, version }) =>
          engineId === engine && version !== null && !isOlder(version, tried),
      )
    );
  });

/** Begins what one call starts, for whoever carries it out. */
export const startingWith = (hooking: Hooking) => ({
  variables: { [TOKEN_VARIABLE]: hooking.token },
  program: (argv: readonly string[]) => hookedArgv(argv, hooking),
  line: (command: string) => hookedLine(command, hooking),
});
