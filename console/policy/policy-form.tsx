import { previewPolicy } from '../../protocol/policy-words.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import {
  FORCE_RULES,
  type MergePolicy,
  type PolicyLayer,
  POLICY_MODES,
  TAG_RULES,
} from '../../protocol/merge-policy.ts';
import { type Place, scopeOf } from '../api/place.ts';
import { POLICY_KEY, savePolicy } from '../api/policy.ts';
import { cliTwin } from '../format/cli.ts';
import { offerUndo } from '../lib/undo.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { draftOf, layerOf, type PolicyDraft } from './draft.ts';

type PolicyFormProps = {
  place: Place;
  /** What wider scopes come to. */
  wider: MergePolicy;
  start: PolicyLayer;
  /** What this scope says now: what an undo brings back. */
  was: PolicyLayer;
  /** The version that is edited; 0 where there is none. */
  basedOn: number;
};

const MODES = {
  none: 'no merge, no pull request',
  pr: 'pull requests only',
  ask: 'each is asked about',
  merge: 'allowed, forwards only',
} as const satisfies Record<(typeof POLICY_MODES)[number], string>;
const FORCE = {
  never: 'nothing is rewritten',
  own: 'branches that it made',
} as const satisfies Record<(typeof FORCE_RULES)[number], string>;
const TAGS = {
  never: 'no tag',
  ask: 'each is asked about',
  new: 'new tags',
} as const satisfies Record<(typeof TAG_RULES)[number], string>;

/** What one scope says, and in plain words what a launch may do once it is saved. */
export function PolicyForm({ place, wider, start, was, basedOn }: PolicyFormProps) {
  const [draft, setDraft] = useState(() => draftOf(start));
  const client = useQueryClient();
  const drafted = layerOf(draft);
  const saving = usePress({
    mutationFn: async ({ part, widens }: PolicyLayer) =>
      savePolicy({
        scope: scopeOf(place),
        part,
        widens,
        basedOn,
      }),
    onSuccess: ({ version }) => {
      const { part, widens } = was;
      offerUndo({
        said: `Version ${version} holds for launches from now on.`,
        undo: () => savePolicy({ scope: scopeOf(place), part, widens, basedOn: version }),
      });
      return client.invalidateQueries({ queryKey: POLICY_KEY });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (drafted.ok) saving.mutate(drafted.layer);
  };
  const change = (patch: Partial<PolicyDraft>) => setDraft({ ...draft, ...patch });
  const unsaid = place ? 'as the account says' : 'as by default';
  const shared = { draft, change, wider, unsaid };
  const preview = drafted.ok ? previewPolicy(wider, drafted.layer) : null;
  return (
    <form onSubmit={submit} noValidate aria-label="Policy">
      <div className="grid gap-x-4 md:grid-cols-2">
        <div>
          <Select {...shared} field="mode" label="Merges" options={MODES} />
          <Select {...shared} field="force" label="Rewriting what was pushed" options={FORCE} />
          <Select {...shared} field="tags" label="Pushing tags" options={TAGS} />
        </div>
        <div>
          <Lines
            {...shared}
            field="branches"
            label="Protected branches, beside the default one"
            placeholder="release/*"
          />
          <Lines {...shared} field="paths" label="Protected paths" placeholder={unsaid} />
          <Lines
            {...shared}
            field="tools"
            label="Rules of tools"
            placeholder="deny command terraform *"
          />
        </div>
      </div>
      <Reason {...shared} />
      <section
        aria-label="What a launch may do then"
        aria-live="polite"
        className="mb-3 rounded-md border bg-sunken p-3"
      >
        {preview ? (
          <ul className="text-soft">
            {preview.words.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        ) : (
          <p className="text-red">{drafted.ok ? '' : drafted.problem}</p>
        )}
        {preview && preview.heldBack.length > 0 && (
          <p className="mt-2 text-sm text-amber">
            {preview.heldBack.join(', ')}: without a reason this only tightens what holds already.
            Say above why it may do more.
          </p>
        )}
      </section>
      <FormEnd
        press={saving}
        retry={() => drafted.ok && saving.mutate(drafted.layer)}
        renew={() => void client.invalidateQueries({ queryKey: POLICY_KEY }).then(saving.reset)}
        reason={drafted.ok ? null : drafted.problem}
        command={cliTwin.savePolicy(place?.directory ?? null, drafted.ok ? drafted.layer : null)}
      >
        Save as version {basedOn + 1}
      </FormEnd>
    </form>
  );
}

type Part = {
  draft: PolicyDraft;
  change: (patch: Partial<PolicyDraft>) => void;
  wider: MergePolicy;
  /** Whose word holds where this scope says nothing. */
  unsaid: string;
};

function Select({
  draft,
  change,
  wider,
  unsaid,
  field,
  label,
  options,
}: Part & {
  field: 'mode' | 'force' | 'tags';
  label: string;
  options: Readonly<Record<string, string>>;
}) {
  const id = useId();
  const names: readonly string[] = { mode: POLICY_MODES, force: FORCE_RULES, tags: TAG_RULES }[
    field
  ];
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        value={draft[field]}
        className={inputClass()}
        onChange={(event) => change({ [field]: event.target.value })}
      >
        <option value="">
          {unsaid}: {options[wider[field]]}
        </option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}: {options[name]}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Lines({
  draft,
  change,
  field,
  label,
  placeholder,
}: Part & { field: 'branches' | 'paths' | 'tools'; label: string; placeholder: string }) {
  const id = useId();
  return (
    <Field id={id} label={`${label}, one a line`}>
      <textarea
        id={id}
        rows={2}
        value={draft[field]}
        spellCheck={false}
        placeholder={placeholder}
        className={`${inputClass()} field-sizing-content max-h-48 font-mono`}
        onChange={(event) => change({ [field]: event.target.value })}
      />
    </Field>
  );
}

function Reason({ draft, change }: Part) {
  const id = useId();
  return (
    <Field
      id={id}
      label="Why it may allow more than the wider scope (empty: it only tightens)"
      hint="With a reason, a list that is given replaces the wider one. Whoever looks later finds it beside the version."
    >
      <input
        id={id}
        value={draft.reason}
        maxLength={500}
        className={inputClass()}
        onChange={(event) => change({ reason: event.target.value })}
      />
    </Field>
  );
}
