import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { BLIND_SENTENCE } from '../../protocol/engine-authority.ts';
import { PARSERS, type ParserId } from '../../protocol/parsers.ts';
import { ENGINES_KEY, saveEngine } from '../api/engines.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Choice, ChoiceGroup, Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { type EngineDraft, presetOf, problemOf } from './draft.ts';

type EngineFormProps = {
  start: EngineDraft;
  /** The version that is edited; 0 for a new engine. */
  basedOn: number;
  saved: () => void;
};

/** Answers under their question. */
const Choices = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <p aria-hidden="true" className="mb-1 text-sm font-medium text-soft">
      {label}
    </p>
    <ChoiceGroup label={label}>{children}</ChoiceGroup>
  </>
);

/** Describes an engine. Saving runs nothing: each machine asks for its own approval. */
export function EngineForm({ start, basedOn, saved }: EngineFormProps) {
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const client = useQueryClient();
  const parsed = presetOf(draft);
  const faults = tried && !parsed.ok ? parsed.faults : [];
  const renew = async () => {
    await client.invalidateQueries({ queryKey: ENGINES_KEY });
    saved();
  };
  const saving = usePress({
    mutationFn: async () => (parsed.ok ? saveEngine(parsed.preset, basedOn) : undefined),
    onSuccess: renew,
  });
  const change = (patch: Partial<EngineDraft>) => setDraft({ ...draft, ...patch });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (parsed.ok) saving.mutate();
  };
  const problem = (field: string) => problemOf(faults, field);
  const shared = { draft, change, problem };
  return (
    <form onSubmit={submit} noValidate>
      {basedOn === 0 && <TextField {...shared} field="id" label="Id" placeholder="my-agent" mono />}
      <TextField {...shared} field="label" label="What it is called" placeholder="My agent" />
      <Command {...shared} />
      <Parser {...shared} />
      {draft.parser === 'text' && <PlainText {...shared} />}
      <Environment {...shared} />
      <TextField {...shared} field="minVersion" label="Oldest version (empty: any)" mono />
      <FormEnd
        press={saving}
        retry={() => saving.mutate()}
        renew={() => void renew()}
        command={cliTwin.saveEngine(parsed.ok ? parsed.preset : null)}
      >
        {basedOn === 0 ? 'Save the engine' : `Save as version ${basedOn + 1}`}
      </FormEnd>
    </form>
  );
}

type Part = {
  draft: EngineDraft;
  change: (patch: Partial<EngineDraft>) => void;
  problem: (field: string) => string | undefined;
};
type TextFields = 'id' | 'label' | 'minVersion' | 'resumeBegin' | 'resumeAgain' | 'env';

function TextField({
  draft,
  change,
  problem,
  field,
  fault = field,
  label,
  placeholder,
  mono = false,
}: Part & {
  field: TextFields;
  fault?: string;
  label: string;
  placeholder?: string;
  mono?: boolean;
}) {
  const id = useId();
  const found = problem(fault);
  return (
    <Field id={id} label={label} problem={found}>
      <input
        id={id}
        value={draft[field]}
        spellCheck={false}
        placeholder={placeholder}
        aria-invalid={found !== undefined}
        className={`${inputClass(found !== undefined)} ${mono ? 'font-mono' : ''}`}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  );
}

function Command({ draft, change, problem }: Part) {
  const id = useId();
  const found = problem('command');
  return (
    <Field id={id} label="Command, a word a line: the program first" problem={found}>
      <textarea
        id={id}
        rows={3}
        value={draft.command}
        spellCheck={false}
        placeholder={'ollama\nrun\nqwen3'}
        aria-invalid={found !== undefined}
        className={`${inputClass(found !== undefined)} field-sizing-content max-h-60 font-mono`}
        onChange={(event) => change({ command: event.target.value })}
      />
    </Field>
  );
}

/** What is read of a program that nobody knows. */
const READS_ANY: Partial<Record<ParserId, string>> = {
  acp: 'The words above are the whole command, such as my-agent and acp. Turns and acts are read, and it asks by rules of its own. Unmetered: what it tells of its cost is kept, and may not be all of it.',
  text: `What it prints is the answer. Unmetered: its cost is not known, its acts are witnessed only. ${BLIND_SENTENCE}`,
};

const READS = {
  dollars: 'Turns, spend and acts are read.',
  tokens: 'Turns, tokens and acts are read.',
  none: 'Turns and acts are read; unmetered: its cost is not known.',
} as const;

/** What is read, in a sentence. */
function readsOf(parser: ParserId): string {
  const facts = PARSERS[parser];
  const where = 'where' in facts ? `Where ${facts.where}. ` : '';
  const reads = READS[facts.capabilities.usage];
  return READS_ANY[parser] ?? `${where}Its flags follow the words above. ${reads}`;
}

const Parser = ({ draft, change }: Part) => (
  <Choices label="How its output is read">
    {(Object.keys(PARSERS) as ParserId[]).map((parser) => (
      <Choice
        key={parser}
        name="parser"
        checked={draft.parser === parser}
        onChoose={() => change({ parser })}
        label={PARSERS[parser].label}
        detail={readsOf(parser)}
      />
    ))}
  </Choices>
);

const PlainText = (part: Part) => (
  <>
    <Choices label="How the instruction goes in">
      <Choice
        name="input"
        checked={part.draft.input === 'stdin'}
        onChoose={() => part.change({ input: 'stdin' })}
        label="On standard input"
      />
      <Choice
        name="input"
        checked={part.draft.input === 'argument'}
        onChoose={() => part.change({ input: 'argument' })}
        label="As the last argument"
        detail="Every user of that machine can read it while it runs."
      />
    </Choices>
    <TextField
      {...part}
      field="resumeBegin"
      fault="resume begin"
      label="Words that begin a conversation (empty: each turn is a new one)"
      placeholder="--session-id {session}"
      mono
    />
    <TextField
      {...part}
      field="resumeAgain"
      fault="resume again"
      label="Words that go on with it"
      placeholder="--resume {session}"
      mono
    />
  </>
);

const Environment = (part: Part) => (
  <>
    <Choices label="Variables that it gets">
      <Choice
        name="env"
        checked={part.draft.allEnv}
        onChoose={() => part.change({ allEnv: true })}
        label="All that the runner has"
      />
      <Choice
        name="env"
        checked={!part.draft.allEnv}
        onChoose={() => part.change({ allEnv: false })}
        label="The ordinary ones, and those named here"
        detail="PATH, HOME, language and the like; no credential."
      />
    </Choices>
    {!part.draft.allEnv && (
      <TextField {...part} field="env" label="Names, separated by spaces" mono />
    )}
  </>
);
