import { readdirSync, readFileSync } from 'node:fs';
import { approvalAnswer, type ApprovalRequest } from '../../../protocol/approval.ts';
import { launchId, turnId } from '../../../protocol/ids.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { launchSpec } from '../../../protocol/launch.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { baselineId, initializeId } from '../../../runner/engines/claude/encode.ts';
import { turnUuid } from '../../../runner/engines/ids.ts';
import type { ClaudeState } from '../../../runner/engines/claude/state.ts';
import type { EngineItem, EngineLaunch, EngineStep } from '../../../runner/engines/engine.ts';

export const FIXTURES = new URL('../../fixtures/engines/', import.meta.url);

type Line = Record<string, unknown>;
type Record_ = { t: number; dir: string; line: unknown };

/** The captures of one engine version. Fails when there are none: an empty set proves nothing. */
export function listCaptures(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, FIXTURES)).filter((name) =>
    name.endsWith('.jsonl'),
  );
  if (names.length === 0) throw new Error(`no captures in ${folder}`);
  return names.toSorted();
}

export function readCapture(folder: string, name: string): Record_[] {
  const text = readFileSync(new URL(`${folder}/${name}`, FIXTURES), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record_);
}

/** One call of the engine's interface that a capture stands for. */
export type Call = (state: ClaudeState) => EngineStep<ClaudeState>;

const LAUNCH = launchId.parse('lau_capture');

export function launchOf(records: readonly Record_[]): EngineLaunch {
  const started = records.find((record) => record.dir === 'argv');
  if (!started) throw new Error('a capture without its command line');
  const { argv } = started.line as { argv: string[] };
  const resume = argv.includes('--resume');
  const at = argv.indexOf(resume ? '--resume' : '--session-id');
  return {
    launchId: LAUNCH,
    launch: launchSpec.parse({
      engineId: 'claude',
      directory: '/home/dev/repo',
      objective: 'Work',
    }),
    directory: '/home/dev/repo',
    engineSessionId: at < 0 ? '00000000-0000-4000-8000-000000000000' : (argv[at + 1] ?? ''),
    resume,
    executable: '/usr/bin/claude',
    version: null,
    payer: 'unknown',
    credential: null,
  };
}

/**
 * Turns a capture into the calls that a session would have made: its instructions, answers and
 * interrupts through the encoders, its output through the parser. Ids that the capture's own
 * driver chose are exchanged for ours.
 */
export function callsOf(records: readonly Record_[]): Call[] {
  const calls: Call[] = [];
  const renamed = new Map<string, string>();
  const requests = new Map<string, ApprovalRequest>();
  const launch = launchOf(records);
  const asksUsage = JSON.stringify(records).includes('"get_usage"');
  const rename = (text: string) =>
    [...renamed].reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const remember = (step: EngineStep<ClaudeState>, engineRequestId: string) => {
    for (const event of eventsOf(step.items)) {
      if (event.type === 'approval/requested') requests.set(engineRequestId, event.request);
    }
    return step;
  };
  const old = JSON.stringify(records).includes('"claude_code_version":"2.1.197"');
  if (launch.resume && old && !asksUsage)
    calls.push((state) => claude.parse(state, usageReply(), 0));
  let turns = 0;
  for (const { t, dir, line } of records) {
    const typed = line as Line;
    if (dir === 'in' && typed['type'] === 'user') {
      const turn = turnId.parse(`trn_${++turns}`);
      if (typeof typed['uuid'] === 'string') renamed.set(typed['uuid'], turnUuid(turn));
      calls.push((state) =>
        claude.encodeInstruction(state, { turnId: turn, text: textOf(typed) }, t),
      );
    } else if (dir === 'in' && typed['type'] === 'control_request') {
      const subtype = (typed['request'] as Line)['subtype'];
      if (subtype === 'initialize') renamed.set(String(typed['request_id']), initializeId(LAUNCH));
      if (subtype === 'get_usage') renamed.set(String(typed['request_id']), baselineId(LAUNCH));
      if (subtype === 'interrupt') calls.push((state) => claude.encodeInterrupt(state, t));
    } else if (dir === 'in' && typed['type'] === 'control_response') {
      const response = typed['response'] as {
        request_id: string;
        response?: { behavior?: string; message?: string };
      };
      const decision = response.response?.behavior === 'allow' ? 'allow' : 'deny';
      const answer = approvalAnswer.parse({ decision });
      calls.push((state) => {
        const request = requests.get(response.request_id);
        return request ? claude.encodeAnswer(state, request, answer, t) : { state, items: [] };
      });
    } else if (dir === 'out') {
      const text = typeof typed['_text'] === 'string' ? typed['_text'] : JSON.stringify(line);
      calls.push((state) =>
        remember(claude.parse(state, rename(text), t), String(typed['request_id'])),
      );
    } else if (dir === 'exit') {
      const { code, sig } = line as { code: number | null; sig: string | null };
      const stderrTail = records
        .filter((record) => record.dir === 'err')
        .map((record) => String(record.line).trim());
      const expected = records.some((record) => record.dir === 'in' && record.line === '<EOF>');
      calls.push((state) =>
        claude.exit(
          state,
          { exitCode: code, signal: sig, expected, stderrTail: stderrTail.slice(-3) },
          t,
        ),
      );
    }
  }
  return calls;
}

function usageReply(): string {
  const response = { session: { total_cost_usd: 0, model_usage: {} } };
  return JSON.stringify({
    type: 'control_response',
    response: { subtype: 'success', request_id: baselineId(LAUNCH), response },
  });
}

function textOf(line: Line): string {
  const content = (line['message'] as Line)['content'];
  return Array.isArray(content)
    ? content.map((part: { text?: string }) => part.text ?? '').join('')
    : String(content);
}

/** All items of a whole capture. `between` may replace the state between two calls. */
export function replay(
  records: readonly Record_[],
  between: (state: ClaudeState) => ClaudeState = (state) => state,
): EngineItem[] {
  const opened = claude.open(launchOf(records));
  let state = between(opened.state);
  const items = [...opened.items];
  for (const call of callsOf(records)) {
    const step = call(state);
    state = between(step.state);
    items.push(...step.items);
  }
  return items;
}

export function eventsOf(items: readonly EngineItem[]): EngineEvent[] {
  return items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
}
