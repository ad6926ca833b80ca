import type { AdrRecordResult } from '../../protocol/adr-report.ts';
import { showInvisible } from './visible.ts';

type JumpTo = (id: string) => void;

/** Which records this one replaced and which replaced it, each leading there. */
export function RecordLinks({ record, jump }: { record: AdrRecordResult; jump: JumpTo }) {
  return (
    <>
      <Linked word="supersedes" ids={record.supersedes} jump={jump} />
      <Linked word="superseded by" ids={record.supersededBy} jump={jump} />
    </>
  );
}

function Linked({ word, ids, jump }: { word: string; ids: readonly string[]; jump: JumpTo }) {
  if (ids.length === 0) return null;
  return (
    <span>
      {' · '}
      {word}{' '}
      {ids.map((id, index) => (
        <span key={index}>
          {index > 0 && ', '}
          <button
            type="button"
            onClick={() => jump(id)}
            className="figure text-accent underline-offset-2 hover:underline"
          >
            {showInvisible(id)}
          </button>
        </span>
      ))}
    </span>
  );
}
