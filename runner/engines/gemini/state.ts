import type { TurnId } from '../../../protocol/ids.ts';
import type { Payer } from '../../../protocol/usage.ts';
import type { ActHandle } from '../acts.ts';
import type { Draft as DraftOf } from '../draft.ts';
import type { EngineLaunch } from '../engine.ts';
import type { Ignored } from '../ignored.ts';
import type { Pieces } from '../pieces.ts';
import type { ResultLine } from './lines.ts';

type OpenTurn = { turnId: TurnId; startedAt: number; acts: number };

export type OpenTool = { name: string; startedAt: number; acts: readonly ActHandle[] };

/** Everything that the next line's meaning depends on, as JSON. One process is one turn. */
export type GeminiState = Ignored &
  Pieces & {
    resume: boolean;
    engineSessionId: string;
    version: string | null;
    model: string | null;
    payer: Payer;
    credential: string | null;
    ready: boolean;
    /** The instruction that the process was started with, until the engine repeats it. */
    pending: TurnId | null;
    open: OpenTurn | null;
    interrupting: boolean;
    tools: Readonly<Record<string, OpenTool>>;
    /** How the engine says that the turn ended, which holds when the process has. */
    result: ResultLine | null;
  };

export type Draft = DraftOf<GeminiState>;

export function openState(launch: EngineLaunch): GeminiState {
  return {
    launchId: launch.launchId,
    resume: launch.resume,
    engineSessionId: launch.engineSessionId,
    version: launch.version,
    model: launch.launch.model,
    payer: launch.payer,
    credential: launch.credential,
    ready: false,
    pending: null,
    open: null,
    interrupting: false,
    block: null,
    blocks: 0,
    tools: {},
    result: null,
    unknownLines: {},
    garbage: 0,
  };
}
