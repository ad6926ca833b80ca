import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { approvalAnswer, type ApprovalRequest } from '../../../../protocol/approval.ts';
import type { EngineEvent, EventOf } from '../../../../protocol/engine-event.ts';
import { launchId, turnId } from '../../../../protocol/ids.ts';
import { type ApprovalsMode, launchSpec } from '../../../../protocol/launch.ts';
import type { EngineItem, EngineLaunch } from '../../../../runner/engines/engine.ts';
import { rehearsal, REHEARSAL_EXECUTABLE } from '../../../../runner/engines/rehearsal/preset.ts';
import type { ScriptInput } from '../../../../runner/engines/rehearsal/script.ts';

const CONVERSATION = '22222222-2222-4222-8222-222222222222';

export async function aDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rehearsal-'));
}

type Options = {
  script?: ScriptInput;
  directory?: string;
  data?: string;
  approvals?: ApprovalsMode;
  resume?: boolean;
  instructions?: readonly string[];
  answer?: (request: ApprovalRequest) => Parameters<typeof approvalAnswer.parse>[0];
  /** Called with each item; may interrupt. */
  on?: (item: EngineItem, interrupt: () => void) => void;
  /** Lines written as they are, after the opening. */
  raw?: readonly string[];
};

/**
 * Runs the rehearsal as the real process that it is, with the real parser on its output, until
 * every instruction has ended and its input is closed.
 */
export async function rehearse(options: Options) {
  const directory = options.directory ?? (await aDirectory());
  const data = options.data ?? (await aDirectory());
  const script = join(data, 'script.json');
  if (options.script) await writeFile(script, JSON.stringify(options.script));
  const launch: EngineLaunch = {
    launchId: launchId.parse('lau_rehearsal'),
    launch: launchSpec.parse({
      engineId: 'rehearsal',
      directory,
      objective: 'Work',
      approvals: options.approvals ?? 'ask',
    }),
    directory,
    engineSessionId: CONVERSATION,
    resume: options.resume ?? false,
    executable: REHEARSAL_EXECUTABLE,
    version: null,
    payer: 'unknown',
    credential: null,
  };
  const env = {
    ...process.env,
    PILOTHOUSE_DATA: data,
    ...(options.script ? { PILOTHOUSE_REHEARSAL_SCRIPT: script } : {}),
  };
  const plan = rehearsal.plan(launch, env);
  const child = spawn(plan.argv[0], plan.argv.slice(1), {
    cwd: plan.directory,
    env: plan.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => child.stdin.destroy());
  const stderr: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
  const items: EngineItem[] = [];
  const waiting = [...(options.instructions ?? ['go'])];
  const opened = rehearsal.open(launch);
  let state = opened.state;
  const write = (line: string) => child.stdin.writable && child.stdin.write(`${line}\n`);
  const interrupt = () => take(rehearsal.encodeInterrupt(state, Date.now()));
  let made = 0;
  const next = () => {
    const text = waiting.shift();
    if (text === undefined) child.stdin.end();
    else
      take(
        rehearsal.encodeInstruction(
          state,
          { turnId: turnId.parse(`trn_${made++}`), text },
          Date.now(),
        ),
      );
  };
  const take = (step: { state: unknown; items: readonly EngineItem[] }): void => {
    state = step.state as typeof state;
    for (const item of step.items) {
      items.push(item);
      if (item.kind === 'write') write(item.line);
      options.on?.(item, interrupt);
      if (item.kind !== 'event') continue;
      if (item.event.type === 'approval/requested' && options.answer) {
        const given = approvalAnswer.parse(options.answer(item.event.request));
        take(rehearsal.encodeAnswer(state, item.event.request, given, Date.now()));
      }
      if (item.event.type === 'turn/ended') next();
    }
  };
  take(opened);
  for (const line of options.raw ?? []) write(line);
  next();
  createInterface({ input: child.stdout }).on('line', (line) =>
    take(rehearsal.parse(state, line, Date.now())),
  );
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  take(
    rehearsal.exit(
      state,
      { exitCode, signal, expected: false, stderrTail: stderr.slice(-5) },
      Date.now(),
    ),
  );
  const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
  return {
    directory,
    data,
    items,
    events,
    stderr,
    exitCode,
    signal,
    of: <T extends EngineEvent['type']>(type: T) =>
      events.filter((event) => event.type === type) as EventOf<T>[],
  };
}
