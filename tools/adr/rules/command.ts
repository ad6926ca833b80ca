import { spawn } from 'node:child_process';
import { type Finding, found, undecided } from '../finding.ts';
import { selectionOf } from '../tree/globs.ts';
import { type RuleContext, type RuleOutcome, examinedAll, skipped } from './context.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'commands';
const TAIL_CHARACTERS = 2_000;
const KILL_AFTER_MS = 2_000;

type Ended = { output: string; code: number | null; timedOut: boolean; failure: string | null };

/**
 * A command that must exit 0, run at the root. It is the record in the work tree that says what
 * runs: whoever may write records may run programs wherever the check runs.
 */
export async function checkCommand(
  rule: RuleOf<'command'>,
  context: RuleContext,
): Promise<RuleOutcome> {
  const { change, record } = context;
  if (change && rule.paths) {
    const chosen = selectionOf(rule.paths, []);
    if (![...change.paths].some((path) => chosen(path) || path === record.path)) {
      return skipped(UNIT, 'None of its files changed.');
    }
  }
  if (!context.commands) return skipped(UNIT, 'Commands were not to be run (--no-commands).');
  const ended = await run(rule, context.tree.root);
  return examinedAll(1, UNIT, judge(rule, ended));
}

function judge(rule: RuleOf<'command'>, ended: Ended): Finding[] {
  const shown = rule.shell ?? rule.run?.join(' ') ?? '';
  if (ended.failure !== null) {
    return [
      undecided(
        null,
        `\`${shown}\` could not be started (${ended.failure}), so nothing is known. Install it, or correct the rule.`,
      ),
    ];
  }
  if (ended.timedOut) {
    return [
      undecided(
        null,
        `\`${shown}\` had not ended after ${rule.timeoutSeconds} s and was stopped, so nothing is known. Make it faster or raise \`timeoutSeconds\`.`,
        ended.output,
      ),
    ];
  }
  if (ended.code === 0) return [];
  return [
    found(
      null,
      `\`${shown}\` ended with ${ended.code ?? 'a signal'}. ${rule.reason}`,
      ended.output,
    ),
  ];
}

function run(rule: RuleOf<'command'>, cwd: string): Promise<Ended> {
  const [program = 'sh', ...args] = rule.run ?? ['sh', '-c', rule.shell ?? ''];
  return new Promise((resolve) => {
    // A group of its own, so that a time limit ends what the command started as well.
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let timedOut = false;
    const signalAll = (signal: NodeJS.Signals): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has ended between the decision and the signal: nothing is left to stop.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      signalAll('SIGTERM');
      setTimeout(() => {
        signalAll('SIGKILL');
        // What left the group can still hold the pipes; it is not waited for.
        child.stdout.destroy();
        child.stderr.destroy();
      }, KILL_AFTER_MS);
    }, rule.timeoutSeconds * 1_000);
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-TAIL_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ output: '', code: null, timedOut: false, failure: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ output: output.trim(), code, timedOut, failure: null });
    });
  });
}
