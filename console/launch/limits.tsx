import { useId } from 'react';
import type { ApprovalsMode } from '../../protocol/launch.ts';
import type { WorkspaceDescription } from '../../protocol/command.ts';
import { plural } from '../format/count.ts';
import type { EngineReadiness, MachineFacts } from '../../protocol/machine.ts';
import { GradeChoice } from './grade-choice.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { Choice, ChoiceGroup, Field, inputClass } from '../ui/field.tsx';
import { WorkLimitsFields } from './work-limits-fields.tsx';
import type { LaunchDraft, OwnAsking, Problems } from './draft.ts';
import { asksOf, costOf, wordsOfMode } from './words.ts';

type LimitsProps = {
  draft: LaunchDraft;
  modes: readonly ApprovalsMode[];
  engine: EngineReadiness | undefined;
  /** Where no mode says it: the machine's approval of its command is all there is. */
  ownAsking: OwnAsking | null;
  workspace: WorkspaceDescription | undefined;
  /** Where it works is decided, and its conversation too. */
  placed?: boolean;
  machine: MachineFacts | undefined;
  problems: Problems;
  /** What earlier sessions came to; null where they say nothing of this one. */
  costs: string | null;
  change: (patch: Partial<LaunchDraft>) => void;
};

/** What it may do unasked, where it works, and when it has to stop. */
export function Limits({
  draft,
  modes,
  engine,
  ownAsking,
  workspace,
  placed = false,
  machine,
  problems,
  costs,
  change,
}: LimitsProps) {
  const id = useId();
  const asks = engine ? asksOf(engine) : [];
  return (
    <>
      {ownAsking !== null && (
        <p className="mb-3 text-soft">
          {ownAsking === 'itself'
            ? 'It asks by rules of its own, and you answer here: what it does unasked is what was approved on that machine.'
            : 'It asks nobody: what it does unasked is what was approved on that machine.'}
        </p>
      )}
      {ownAsking === null && (
        <ChoiceGroup label="What it may do unasked">
          {modes.map((mode) => (
            <Choice
              key={mode}
              name="approvals"
              checked={draft.approvals === mode}
              onChoose={() => change({ approvals: mode })}
              label={wordsOfMode(mode, asks).label}
              detail={wordsOfMode(mode, asks).meaning + (engine ? costOf(engine, mode) : '')}
            />
          ))}
        </ChoiceGroup>
      )}
      {!placed && draft.directory.trim() !== '' && (
        <Place draft={draft} workspace={workspace} problems={problems} change={change} />
      )}
      <Field
        id={`${id}-budget`}
        label="Budget in dollars (empty: no limit)"
        problem={problems.budget}
        {...(costs !== null && { hint: costs })}
      >
        <input
          id={`${id}-budget`}
          inputMode="decimal"
          placeholder="5.00"
          aria-invalid={problems.budget !== undefined}
          className={`${inputClass(problems.budget !== undefined)} figure max-w-40`}
          value={draft.budget}
          onChange={(event) => change({ budget: event.target.value })}
        />
      </Field>
      <GradeChoice
        machine={machine}
        engine={engine}
        checkout={draft.checkout}
        value={draft.grade}
        problem={problems.grade}
        onChange={(grade) => change({ grade })}
      />
      <NetworkChoice
        draft={draft}
        machine={machine}
        engine={engine}
        problem={problems.network}
        onChange={(network) => change({ network })}
      />
      <details
        className="mb-3"
        open={[
          draft.model,
          draft.silence,
          draft.answerHours,
          draft.conversation,
          draft.tokens,
          draft.turns,
          draft.minutes,
        ].some(Boolean)}
      >
        <summary className="w-fit text-sm text-accent">Advanced</summary>
        <div className="mt-2">
          <WorkLimitsFields draft={draft} problems={problems} change={change} />
          <Field id={`${id}-model`} label="Model (empty: the engine’s own choice)">
            <input
              id={`${id}-model`}
              spellCheck={false}
              className={`${inputClass()} font-mono`}
              value={draft.model}
              onChange={(event) => change({ model: event.target.value })}
            />
          </Field>
          {!placed && (
            <Field
              id={`${id}-conversation`}
              label="Carry on a conversation that you began by hand: its id (empty: a new one)"
              problem={problems.conversation}
            >
              <input
                id={`${id}-conversation`}
                spellCheck={false}
                aria-invalid={problems.conversation !== undefined}
                className={`${inputClass(problems.conversation !== undefined)} font-mono`}
                value={draft.conversation}
                onChange={(event) => change({ conversation: event.target.value })}
              />
            </Field>
          )}
          <Field
            id={`${id}-silence`}
            label="End a turn after so many minutes of silence (empty: 15)"
            problem={problems.silence}
          >
            <input
              id={`${id}-silence`}
              inputMode="decimal"
              placeholder="15"
              aria-invalid={problems.silence !== undefined}
              className={`${inputClass(problems.silence !== undefined)} figure max-w-40`}
              value={draft.silence}
              onChange={(event) => change({ silence: event.target.value })}
            />
          </Field>
          <Field
            id={`${id}-answer`}
            label="Deny an approval that nobody answered for so many hours (empty: 24)"
            problem={problems.answerHours}
          >
            <input
              id={`${id}-answer`}
              inputMode="decimal"
              placeholder="24"
              aria-invalid={problems.answerHours !== undefined}
              className={`${inputClass(problems.answerHours !== undefined)} figure max-w-40`}
              value={draft.answerHours}
              onChange={(event) => change({ answerHours: event.target.value })}
            />
          </Field>
        </div>
      </details>
    </>
  );
}

function Place({
  draft,
  workspace,
  problems,
  change,
}: Omit<LimitsProps, 'modes' | 'engine' | 'ownAsking' | 'machine' | 'costs'>) {
  const id = useId();
  const dirty = workspace?.uncommittedFiles ?? 0;
  return (
    <>
      <ChoiceGroup label="Where it works">
        <Choice
          name="checkout"
          checked={draft.checkout === 'own'}
          onChoose={() => change({ checkout: 'own' })}
          label="In a checkout of its own"
          detail="Your files stay as they are. Its branch is brought back after each turn."
        />
        <Choice
          name="checkout"
          checked={draft.checkout === 'inPlace'}
          onChoose={() => change({ checkout: 'inPlace', fromUncommitted: false })}
          label="In the directory itself"
          detail="It edits your own working files."
        />
      </ChoiceGroup>
      {problems.checkout !== undefined && (
        <p className="mb-3 text-sm text-red">{problems.checkout}</p>
      )}
      {draft.checkout === 'own' && (
        <>
          <Field
            id={`${id}-base`}
            label="Start from (empty: what is checked out)"
            problem={problems.baseRef}
          >
            <input
              id={`${id}-base`}
              list={`${id}-branches`}
              spellCheck={false}
              placeholder={workspace?.branch ?? 'branch or commit'}
              className={`${inputClass()} font-mono`}
              value={draft.baseRef}
              onChange={(event) => change({ baseRef: event.target.value })}
            />
            <datalist id={`${id}-branches`}>
              {workspace?.branches.map((branch) => (
                <option key={branch} value={branch}>
                  {branch}
                </option>
              ))}
            </datalist>
          </Field>
          {(dirty > 0 || draft.fromUncommitted) && (
            <label className="mb-3 flex items-center gap-2">
              <input
                type="checkbox"
                className="accent-[var(--accent)]"
                checked={draft.fromUncommitted}
                onChange={(event) => change({ fromUncommitted: event.target.checked })}
              />
              Start with my uncommitted changes ({plural(dirty, 'file')})
            </label>
          )}
        </>
      )}
    </>
  );
}
