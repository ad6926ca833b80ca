import type { ActOutcome } from '../../protocol/act.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import type { ActId, TurnId } from '../../protocol/ids.ts';
import { classifyCommand } from '../acts/classify.ts';
import { type Draft, emit } from './draft.ts';
import { actIdOf } from './ids.ts';
import { oneLine } from './text-cap.ts';

export type ToolOutcome = EventOf<'tool/ended'>['outcome'];

/** An act under way, with what the exit status of its whole command line would prove. */
export type ActHandle = { actId: ActId; provesDone: boolean; provesNotDone: boolean };

/** Says the acts that a shell command of a tool call would commit. `scope` is the conversation. */
export function seeActs(
  draft: Draft<unknown>,
  call: { scope: string; toolId: string; turnId: TurnId | null; command: string | null },
): ActHandle[] {
  const { scope, toolId, turnId, command } = call;
  return (command === null ? [] : classifyCommand(command, draft.look)).map((act, index) => {
    const actId = actIdOf(scope, toolId, index);
    emit(draft, {
      type: 'act/seen',
      act: {
        actId,
        turnId,
        toolId,
        kind: act.kind,
        command: oneLine(act.command, 2000),
        target: act.target,
        witness: 'stream',
        // A file that was read may be another one by the time it ran.
        uncertain: act.uncertain || act.file !== undefined,
      },
    });
    return { actId, provesDone: act.provesDone, provesNotDone: act.provesNotDone };
  });
}

/** Says what became of acts, as far as the end of their tool call proves it. */
export function endActs(
  draft: Draft<unknown>,
  acts: readonly ActHandle[],
  outcome: ToolOutcome,
): void {
  for (const act of acts)
    emit(draft, { type: 'act/ended', actId: act.actId, outcome: decideActOutcome(act, outcome) });
}

/** What the end of a whole command line proves about one command in it. */
function decideActOutcome(act: ActHandle, outcome: ToolOutcome): ActOutcome {
  switch (outcome) {
    case 'ok':
      return act.provesDone ? 'done' : 'unknown';
    case 'failed':
      return act.provesNotDone ? 'not_done' : 'unknown';
    case 'denied':
      return 'not_done';
    case 'interrupted':
    case 'unknown':
      return 'unknown';
    default:
      return outcome satisfies never;
  }
}
