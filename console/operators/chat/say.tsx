import { formatCount } from '../../format/locale.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { CHAT_TEXT_MAX } from '../../../protocol/operator-chat.ts';
import { CHAT_KEY, say } from '../../api/chat.ts';
import { tellError } from '../../errors.ts';
import { cliTwin } from '../../format/cli.ts';
import { newId } from '../../lib/make-id.ts';
import { useIdOf } from '../../lib/use-id-of.ts';
import { usePress } from '../../lib/use-press.ts';
import { keepDraft, readDraft, withoutSent } from '../../session/draft.ts';
import { Button } from '../../ui/button.tsx';
import { Twin } from '../../ui/copy.tsx';
import { Field, inputClass } from '../../ui/field.tsx';

/** Why words cannot be sent; null when they can. */
export function reasonNotToSay(text: string, obstacle: string | null): string | null {
  if (obstacle !== null) return obstacle;
  if (text.trim() === '') return 'Write what it should do first.';
  return text.length > CHAT_TEXT_MAX
    ? `This is longer than ${formatCount(CHAT_TEXT_MAX)} characters.`
    : null;
}

/** Where a person speaks to the agent. What is not sent is kept. */
export function Say({ instanceId, obstacle }: { instanceId: string; obstacle: string | null }) {
  const [text, setText] = useState(() => readDraft(instanceId));
  const messageIdOf = useIdOf(() => newId('msg'));
  useEffect(() => keepDraft(instanceId, text), [instanceId, text]);
  const queries = useQueryClient();
  const saying = usePress({
    mutationFn: (words: string) => say(instanceId, messageIdOf(words), words),
    onSuccess: (_, words) => {
      messageIdOf.forget();
      setText((now) => withoutSent(now, words));
      return queries.invalidateQueries({ queryKey: CHAT_KEY });
    },
  });
  const reason = reasonNotToSay(text, obstacle);
  const send = () => {
    if (reason === null && !saying.isPending) saying.mutate(text);
  };
  const press = (event: KeyboardEvent) => {
    // Enter also ends the composition of a word in many writing systems.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field
        id="operator-say"
        label="Say what it should do"
        problem={saying.isError ? tellError(saying.error).sentence : undefined}
      >
        <textarea
          id="operator-say"
          rows={3}
          className={inputClass()}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" busy={saying.isPending} reason={reason} onClick={send}>
          Say it
        </Button>
        <Twin text={cliTwin.sayToOperator(instanceId, text)} />
      </div>
    </form>
  );
}
