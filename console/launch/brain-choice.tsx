import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { BRAIN_KINDS, type BrainSpec } from '../../protocol/pilot.ts';
import { brainKeysQuery } from '../api/brain-keys.ts';
import { AddBrainKey } from '../brain-keys/add-key.tsx';
import { tellError } from '../errors.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, ChoiceGroup, Field, inputClass } from '../ui/field.tsx';
import { Words } from '../ui/words.tsx';
import type { PilotDraft, PilotProblems } from './pilot-draft.ts';

const BRAINS: Record<BrainSpec['kind'], { label: string; detail: string }> = {
  checklist: {
    label: 'The checks alone',
    detail: 'What fails is the next instruction. No model is asked and nothing is paid.',
  },
  engine: {
    label: 'The engine itself',
    detail:
      'Its own CLI is asked beside the conversation, without tools: no other key is needed. It is paid like the session, and shown apart.',
  },
  api: {
    label: 'A model, by its API',
    detail:
      'It reads what the engine did and which checks fail. Asked from the server with a key of yours, which no machine gets.',
  },
};

type BrainChoiceProps = {
  draft: PilotDraft;
  problems: PilotProblems;
  onChange: (patch: Partial<PilotDraft>) => void;
};

/** What decides the next instruction. */
export function BrainChoice({ draft, problems, onChange }: BrainChoiceProps) {
  return (
    <>
      <ChoiceGroup label="What decides the next instruction">
        {BRAIN_KINDS.map((brain) => (
          <Choice
            key={brain}
            name="pilot-brain"
            checked={draft.brain === brain}
            onChoose={() => onChange({ brain })}
            {...BRAINS[brain]}
          />
        ))}
      </ChoiceGroup>
      {draft.brain === 'api' && <Model draft={draft} problems={problems} onChange={onChange} />}
      {draft.brain === 'engine' && (
        <ModelName draft={draft} problems={problems} onChange={onChange} own />
      )}
    </>
  );
}

function Model({ draft, problems, onChange }: BrainChoiceProps) {
  const id = useId();
  const query = useQuery(brainKeysQuery);
  const [adding, setAdding] = useState(false);
  const keys = query.data ?? [];
  return (
    <>
      <Field id={`${id}-key`} label="Key" problem={problems.keyId}>
        <div className="flex items-center gap-2">
          <select
            id={`${id}-key`}
            aria-invalid={problems.keyId !== undefined}
            className={inputClass(problems.keyId !== undefined)}
            value={keys.some(({ keyId }) => keyId === draft.keyId) ? draft.keyId : ''}
            onChange={(event) => onChange({ keyId: event.target.value })}
          >
            <option value="">
              {query.data?.length === 0 ? 'No key is kept yet' : 'Choose a key'}
            </option>
            {keys.map(({ keyId, name, provider, baseUrl }) => (
              <option key={keyId} value={keyId}>
                {name} ({provider}, {baseUrl})
              </option>
            ))}
          </select>
          <Button onClick={() => setAdding(true)}>
            <KeyRound /> Add a key
          </Button>
        </div>
        {query.isError && (
          <p role="alert" className="mt-1 text-sm text-red">
            <Words text={tellError(query.error).sentence} />
          </p>
        )}
      </Field>
      <ModelName draft={draft} problems={problems} onChange={onChange} />
      <Dialog open={adding} onOpenChange={setAdding} title="A key for a brain">
        <AddBrainKey
          onAdded={({ keyId }) => {
            onChange({ keyId });
            setAdding(false);
          }}
        />
      </Dialog>
    </>
  );
}

/** `own`: left empty it is the session's. */
function ModelName({
  draft,
  problems,
  onChange,
  own = false,
}: BrainChoiceProps & { own?: boolean }) {
  const id = useId();
  return (
    <Field
      id={id}
      label={own ? 'Model that decides (empty: the session’s)' : 'Model that decides'}
      problem={problems.model}
    >
      <input
        id={id}
        spellCheck={false}
        maxLength={100}
        placeholder="claude-haiku-4-5"
        aria-invalid={problems.model !== undefined}
        className={`${inputClass(problems.model !== undefined)} font-mono`}
        value={draft.model}
        onChange={(event) => onChange({ model: event.target.value })}
      />
    </Field>
  );
}
