import type { TurnId } from '../../../protocol/ids.ts';
import type { Draft as DraftOf } from '../draft.ts';
import type { EngineLaunch } from '../engine.ts';
import type { Pieces } from '../pieces.ts';

/** Everything that the next line's meaning depends on, as JSON. One process is one turn. */
export type CustomState = Pieces & {
  engineSessionId: string;
  version: string | null;
  /** What stands for the model in the ledger: which one answered, if any did, nobody can tell. */
  model: string;
  open: { turnId: TurnId; startedAt: number } | null;
  interrupting: boolean;
  /** Characters of the turn's text so far, and lines that were over the bound. */
  shownChars: number;
  cutLines: number;
};

export type Draft = DraftOf<CustomState>;

export function openState(launch: EngineLaunch): CustomState {
  return {
    launchId: launch.launchId,
    engineSessionId: launch.engineSessionId,
    version: launch.version,
    model: launch.launch.engineId,
    open: null,
    interrupting: false,
    block: null,
    blocks: 0,
    shownChars: 0,
    cutLines: 0,
  };
}
