import { formatCount } from '../format/locale.ts';
import { ArrowUp, CornerDownRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { mentionsOf } from '../../protocol/find-files.ts';
import type { ImageId } from '../../protocol/ids.ts';
import { INSTRUCTION_MAX_CHARS, instructionText } from '../../protocol/instruction.ts';
import type { Presence } from '../../protocol/machine.ts';
import { can, phaseOf } from '../../protocol/session.ts';
import { capabilitiesOf } from '../../protocol/preset.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { instructSession } from '../api/requests.ts';
import { sentenceOfCode, tellError } from '../errors.ts';
import { newId } from '../lib/make-id.ts';
import { useIdOf } from '../lib/use-id-of.ts';
import { usePress } from '../lib/use-press.ts';
import { useMentions } from '../mentions/use-mentions.tsx';
import { wordsOfDriver } from '../takeover/offer.ts';
import { api } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { hearDraft, keepDraft, readDraft, withoutSent } from './draft.ts';
import { AddImages, ImageStrip } from './image-strip.tsx';
import { type ImagePlace, imagesAmong, reasonOfImages, useImages } from './use-images.ts';
import { GoOnElsewhere } from './go-on.tsx';
import { SessionActions } from './session-actions.tsx';
import { Words } from '../ui/words.tsx';

/** Why what is typed cannot be sent; null when it can. */
export function reasonNotToSend(
  view: SessionView,
  text: string,
  leaseKey: string | null = null,
): string | null {
  const permission = can('instruct', view.state);
  if (!permission.allowed) return sentenceOfCode(permission.code);
  if (view.takeover && leaseKey === null) return sentenceOfCode('taken_over');
  if (text.trim() === '') return 'Write what to do first.';
  if (!instructionText.safeParse(text).success) {
    return `This is longer than ${formatCount(INSTRUCTION_MAX_CHARS)} characters. Put it in a file and name the file.`;
  }
  return null;
}

type Saying = { words: string; steer: boolean; shown: readonly ImageId[] };

/** Where a person speaks. What is not sent is kept, and what is sent while it works is queued. */
export function Composer({
  view,
  presence,
  leaseKey = null,
  steers = false,
  seesImages = false,
  takeOver = null,
}: {
  view: SessionView;
  presence: Presence;
  /** Proves that this tab drives a session that was taken over with text. */
  leaseKey?: string | null;
  /** Words can be put into a turn under way of this engine. */
  steers?: boolean;
  /** The machine takes images with an instruction. */
  seesImages?: boolean;
  takeOver?: ReactNode;
}) {
  const { sessionId } = view;
  const [text, setText] = useState(() => readDraft(sessionId));
  const field = useRef<HTMLTextAreaElement>(null);
  const turnIdOf = useIdOf(() => newId('trn'));
  useEffect(() => keepDraft(sessionId, text), [sessionId, text]);
  const place: ImagePlace = {
    key: `say-images:${sessionId}`,
    addressOf: (imageId) => api.image(sessionId, imageId),
  };
  const images = useImages(place);
  const say = usePress({
    mutationFn: ({ words, steer, shown }: Saying) =>
      instructSession(sessionId, turnIdOf([words, ...shown].join('\n')), words, {
        key: leaseKey,
        steer,
        images: shown,
      }),
    onSuccess: (_, { words, shown }) => {
      turnIdOf.forget();
      images.sent(shown);
      // What was typed while it was sent is the next instruction.
      setText((now) => withoutSent(now, words));
    },
  });
  const change = (words: string) => {
    if (say.isError) say.reset();
    setText(words);
  };
  useEffect(() =>
    hearDraft(sessionId, (words) => {
      change(words);
      field.current?.focus();
    }),
  );
  const permission = can('instruct', view.state);
  const reason = reasonNotToSend(view, text, leaseKey) ?? reasonOfImages(images.attached);
  const noImages =
    (permission.allowed ? null : sentenceOfCode(permission.code)) ??
    (seesImages ? null : sentenceOfCode('images_unsupported'));
  const attach = (files: readonly File[]): boolean => {
    if (files.length === 0 || noImages !== null) return false;
    images.add(files);
    return true;
  };
  const busy = view.openTurnId !== null || view.turns.some((turn) => turn.state === 'accepted');
  const canSteer = steers && view.openTurnId !== null;
  const send = (steer = false) => {
    const shown = images.attached.map(({ imageId }) => imageId);
    if (reason === null && !say.isPending)
      say.mutate({ words: text, steer: steer && canSteer, shown });
  };
  const files = useMentions({
    field,
    text,
    setText: change,
    place: presence === 'offline' || view.checkout === null ? null : { kind: 'session', sessionId },
    mentions: mentionsOf(view.launch),
    opens: 'up',
  });
  const press = (event: KeyboardEvent) => {
    if (files.press(event)) return;
    // Enter also ends the composition of a word in many writing systems.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey);
  };
  return (
    <form
      aria-label="Instruction"
      className="border-t bg-paper px-3 py-2 md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="mx-auto max-w-4xl">
        <div
          className="relative rounded-md border border-line-strong bg-raised focus-within:border-accent"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            attach(imagesAmong(event.dataTransfer.files));
          }}
        >
          {files.list}
          <ImageStrip
            addressOf={place.addressOf}
            attached={images.attached}
            remove={images.remove}
          />
          <div className="flex items-start">
            <textarea
              ref={field}
              aria-label="What to do next"
              rows={1}
              value={text}
              readOnly={!permission.allowed}
              onChange={(event) => {
                change(event.target.value);
                files.look();
              }}
              onSelect={files.look}
              onBlur={files.leave}
              onPaste={(event) => {
                if (attach(imagesAmong(event.clipboardData.files))) event.preventDefault();
              }}
              onKeyDown={press}
              {...files.aria}
              placeholder={placeholderOf(view, permission.allowed)}
              className="field-sizing-content block max-h-60 min-h-10 min-w-0 flex-1 resize-none bg-transparent px-3 py-2 text-md outline-none max-md:text-[16px]"
            />
            <AddImages add={attach} count={images.attached.length} reason={noImages} />
          </div>
          <div className="flex flex-wrap items-center gap-2 px-2 pb-2 max-sm:[&_svg]:hidden">
            <SessionActions view={view} takeOver={takeOver} />
            {presence === 'offline' && phaseOf(view.state) === 'active' && (
              <GoOnElsewhere view={view} />
            )}
            <span className="hidden min-w-0 flex-1 truncate text-right text-sm text-faint sm:block">
              {hintOf(busy, canSteer, presence)}
            </span>
            {canSteer && (
              <Button
                className="max-sm:ml-auto"
                reason={reason}
                busy={say.isPending}
                title="Into the turn under way: the engine reads it between two of its steps (Ctrl Enter)"
                onClick={() => send(true)}
              >
                <CornerDownRight /> Steer
              </Button>
            )}
            <Button
              kind="primary"
              type="submit"
              className={canSteer ? '' : 'max-sm:ml-auto'}
              reason={reason}
              busy={say.isPending}
            >
              <ArrowUp /> {busy ? 'Queue' : 'Send'}
            </Button>
          </div>
        </div>
        {view.takeover && (
          <p className="mt-1 text-sm text-soft">
            {leaseKey === null
              ? `${wordsOfDriver(view.takeover)}: instructions wait until it is handed back.`
              : 'You drive: nobody else may give instructions until you hand back.'}
          </p>
        )}
        {forgets(view) && (
          <p className="mt-1 text-sm text-soft">
            Each turn is a new conversation: this engine knows the files, not what was said before.
          </p>
        )}
        {say.isError && (
          <p role="alert" className="mt-1 text-sm text-red">
            <Words text={tellError(say.error).sentence} /> Your text is kept; press{' '}
            {busy ? 'Queue' : 'Send'} to try again.
          </p>
        )}
      </div>
    </form>
  );
}

function placeholderOf(view: SessionView, allowed: boolean): string {
  if (!allowed) return 'Not now: see above.';
  return view.openTurnId === null ? 'Say what to do next' : 'Say what to do after this turn';
}

function hintOf(busy: boolean, canSteer: boolean, presence: Presence): string {
  if (presence === 'offline') return 'The machine is away: it is delivered when it is back';
  if (canSteer) return 'Queue is for after this turn, Steer for within';
  return busy ? 'Waits until this turn ends' : 'Enter sends, Shift Enter is a new line';
}

/** An engine that cannot go on in its conversation: said where the next instruction is written. */
const forgets = ({ launch: { preset } }: SessionView): boolean =>
  preset !== null && !capabilitiesOf(preset).resume;
