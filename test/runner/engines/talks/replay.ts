import { readdirSync } from 'node:fs';
import { approvalAnswer, type ApprovalRequest } from '../../../../protocol/approval.ts';
import { launchId, turnId } from '../../../../protocol/ids.ts';
import { approvalsMode } from '../../../../protocol/launch.ts';
import type { Engine, EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { anEngineLaunch } from '../harness.ts';
import { ENGINES } from '../../../../runner/engines/registry.ts';
import { FIXTURES, listCaptures, readCapture } from '../replay.ts';

/** The model of the recordings, where the parser needs to know it. */
const MODELS: Readonly<Record<string, string>> = { 'codex-app-server': 'gpt-5.5' };

/** Where a folder of recordings is not called as the form of the engine is. */
const RECORDED_AS: Readonly<Record<string, string>> = { opencode: 'opencode-acp' };

/** The engines whose conversations are recorded in both directions, by the folder of recordings. */
export const TALKS: readonly { folder: string; engine: Engine; model: string | null }[] =
  ENGINES.flatMap((engine) => {
    const named = engine.form === null ? engine.id : `${engine.id}-${engine.form}`;
    const key = RECORDED_AS[named] ?? named;
    const folders = readdirSync(FIXTURES).filter(
      (name) => name.startsWith(`${key}-`) && /^[\d.]+$/.test(name.slice(key.length + 1)),
    );
    return folders.filter(isTalk).map((folder) => ({ folder, engine, model: MODELS[key] ?? null }));
  });

/** The driver of such a recording wrote down which conversation it begins. */
function isTalk(folder: string): boolean {
  const [name] = listCaptures(folder);
  const [first] = name === undefined ? [] : readCapture(folder, name);
  return typeof first?.line === 'object' && first.line !== null && 'engineSessionId' in first.line;
}

export type Talk = { folder: string; engine: Engine; model: string | null; name: string };

/** What a recording comes to: our items in order, and the lines as they were written then. */
export type Replayed = { items: EngineItem[]; written: unknown[]; recorded: unknown[] };

/**
 * Plays a recording again: its moves through the encoders, its output through the parser. A
 * recording may hold several processes of one conversation. `between` may replace the state.
 */
export function replay(
  { folder, engine, model, name }: Talk,
  between: (state: unknown) => unknown = (state) => state,
): Replayed {
  const items: EngineItem[] = [];
  const asked: ApprovalRequest[] = [];
  let state: unknown;
  let turns = 0;
  const take = (step: EngineStep<unknown>): void => {
    items.push(...step.items);
    state = between(step.state);
    for (const item of step.items)
      if (item.kind === 'event' && item.event.type === 'approval/requested')
        asked.push(item.event.request);
  };
  const records = readCapture(folder, name);
  for (const { t, dir, line } of records) {
    switch (dir) {
      case 'argv': {
        const { resume, engineSessionId, approvals } = line as Opening;
        const launch = anEngineLaunch(
          {
            launchId: launchId.parse('lau_capture'),
            resume,
            engineSessionId,
            executable: `/usr/bin/${engine.id}`,
            version: folder.split('-').at(-1) ?? null,
            payer: 'api-key',
            credential: 'KEY',
          },
          { engineId: engine.id, model, approvals: approvalsMode.parse(approvals) },
        );
        take(engine.open(launch, state ?? undefined));
        break;
      }
      case 'out':
        take(engine.parse(state, textOf(line), t));
        break;
      case 'note':
        take(move(line as Move, t));
        break;
      case 'exit': {
        const { code, sig } = line as { code: number | null; sig: string | null };
        const exit = { exitCode: code, signal: sig, expected: false, stderrTail: [] };
        take(engine.exit(state, exit, t));
        break;
      }
      default:
    }
  }
  return {
    items,
    written: items.flatMap((item) => (item.kind === 'write' ? [JSON.parse(item.line)] : [])),
    recorded: records.filter(({ dir }) => dir === 'in').map(({ line }) => line),
  };

  function move(made: Move, at: number): EngineStep<unknown> {
    switch (made.do) {
      case 'instruct': {
        const turn = { turnId: turnId.parse(`trn_${++turns}`), text: made.text ?? '' };
        return engine.encodeInstruction(state, turn, at);
      }
      case 'answer': {
        const request = asked.shift();
        if (!request) throw new Error('nothing was asked');
        return engine.encodeAnswer(state, request, approvalAnswer.parse(made), at);
      }
      case 'interrupt':
        return engine.encodeInterrupt(state, at);
      default:
        // Killed, or its input closed: the exit follows.
        return { state, items: [] };
    }
  }
}

type Opening = { resume: boolean; engineSessionId: string; approvals: string };
type Move = { do: string; text?: string };

const textOf = (line: unknown): string =>
  typeof line === 'object' && line !== null && '_text' in line
    ? String(line._text)
    : JSON.stringify(line);
