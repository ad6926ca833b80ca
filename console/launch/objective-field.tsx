import { type KeyboardEvent, type RefObject } from 'react';
import { mentionsOf } from '../../protocol/find-files.ts';
import type { FilePlace } from '../api/files.ts';
import { useMentions } from '../mentions/use-mentions.tsx';
import { Field, inputClass } from '../ui/field.tsx';

/** What a session is to do, with the files of its directory after an `@`. */
export function ObjectiveField({
  field,
  value,
  problem,
  engineId,
  place,
  onChange,
  submit,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  problem: string | undefined;
  engineId: string;
  /** Null while there is no directory to look in. */
  place: FilePlace | null;
  onChange: (objective: string) => void;
  submit: () => void;
}) {
  const files = useMentions({
    field,
    text: value,
    setText: onChange,
    place,
    mentions: mentionsOf({ engineId }),
    opens: 'down',
  });
  const press = (event: KeyboardEvent) => {
    if (files.press(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  return (
    <Field id="objective" label="Objective" problem={problem}>
      <div className="relative">
        <textarea
          id="objective"
          ref={field}
          rows={5}
          placeholder="Run the failing test, fix what it shows, and commit."
          aria-invalid={problem !== undefined}
          className={`${inputClass(problem !== undefined)} text-md field-sizing-content max-h-96 min-h-28`}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            files.look();
          }}
          onSelect={files.look}
          onBlur={files.leave}
          onKeyDown={press}
          {...files.aria}
        />
        {files.list}
      </div>
    </Field>
  );
}
