import { type KeyboardEvent, type RefObject } from 'react';
import { mentionsOf } from '../../protocol/find-files.ts';
import type { FilePlace } from '../api/files.ts';
import { useMentions } from '../mentions/use-mentions.tsx';
import { AddImages, ImageStrip } from '../session/image-strip.tsx';
import { imagesAmong } from '../session/use-images.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { Words } from '../ui/words.tsx';
import type { LaunchImagesHeld } from './launch-images.ts';
import { TemplateMenu } from './template-menu.tsx';

/** What a session is to do, with the files of its directory after an `@` and images that are shown with it. */
export function ObjectiveField({
  field,
  value,
  problem,
  engineId,
  place,
  images,
  onChange,
  submit,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  value: string;
  problem: string | undefined;
  engineId: string;
  /** Null while there is no directory to look in. */
  place: FilePlace | null;
  images: LaunchImagesHeld;
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
  const attach = (dropped: FileList): boolean => {
    const found = imagesAmong(dropped);
    if (found.length === 0 || images.untaken !== null) return false;
    images.add(found);
    return true;
  };
  return (
    <Field id="objective" label="Objective" problem={problem}>
      <div
        className="relative"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          attach(event.dataTransfer.files);
        }}
      >
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
          onPaste={(event) => {
            if (attach(event.clipboardData.files)) event.preventDefault();
          }}
          {...files.aria}
        />
        {files.list}
        <div className="flex flex-wrap items-center gap-2">
          <TemplateMenu
            objective={value}
            choose={(text) => {
              onChange(text);
              field.current?.focus();
            }}
          />
          <AddImages add={images.add} count={images.attached.length} reason={images.untaken} />
          <ImageStrip {...images} />
        </div>
        {images.reason !== null && (
          <output className="block text-sm text-amber">
            <Words text={images.reason} />
          </output>
        )}
      </div>
    </Field>
  );
}
