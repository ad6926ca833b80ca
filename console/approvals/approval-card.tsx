import { type KeyboardEvent, useId, useState } from 'react';
import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import { STDIN_TOOL } from '../../protocol/prompt.ts';
import { tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { formatSpan } from '../format/time.ts';
import { useNow } from '../lib/use-now.ts';
import { actWord } from '../transcript/act-mark.tsx';
import { ToolInputView } from '../transcript/tool-input.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { inputClass } from '../ui/field.tsx';
import { Ago } from '../ui/time.tsx';
import { allow, allowAlways, deny } from './answer.ts';
import { QuestionForm } from './question-form.tsx';
import { Words } from '../ui/words.tsx';

/** Whether and how a request can be answered, as its card needs it. */
export type AnswerState = {
  /** Why it cannot be answered now; null when it can. */
  reason: string | null;
  busy: boolean;
  error: unknown;
  answer: (answer: ApprovalAnswer) => void;
};

type ApprovalCardProps = { request: ApprovalRequest; sessionId: string; state: AnswerState };

const TITLES: Record<ApprovalRequest['kind'], string> = {
  tool: 'May it do this?',
  question: 'It asks you',
  plan: 'Accept this plan?',
  push: 'May this be pushed?',
};

/** What the engine waits for, whole, with everything one needs to say yes or no. */
export function ApprovalCard({ request, sessionId, state }: ApprovalCardProps) {
  const [denying, setDenying] = useState(false);
  const titleId = useId();
  const answerable = state.reason === null && !state.busy;
  const press = (event: KeyboardEvent) => {
    const typing =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || request.kind === 'question')
      return;
    if (event.key === 'a' && answerable) state.answer(allow());
    else if (event.key === 'd' && answerable) setDenying(true);
    else return;
    // The page has keys of its own, and this press was for the card.
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts of buttons that are in it
    <section
      aria-labelledby={titleId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- `a` and `d` answer the card in focus
      tabIndex={0}
      onKeyDown={press}
      data-request={request.requestId}
      className="overflow-hidden rounded-md border border-amber-line bg-raised"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-amber-wash px-3 py-2">
        <h3 id={titleId} className="font-semibold text-amber">
          {request.toolName === STDIN_TOOL ? 'It waits for a line' : TITLES[request.kind]}
        </h3>
        {request.kind === 'tool' && <span className="text-soft">{request.toolName}</span>}
        {request.kind === 'push' && <span className="text-soft">{request.summary}</span>}
        {request.acts.map((kind) => (
          <span
            key={kind}
            className="rounded-sm border border-amber-line px-1.5 text-xs text-amber"
          >
            {actWord(kind)}
          </span>
        ))}
        <span className="ml-auto text-sm text-soft">
          <Expiry request={request} />
        </span>
      </header>
      {request.kind === 'question' ? (
        <QuestionForm request={request} state={state} />
      ) : (
        <>
          <div className="max-h-72 overflow-y-auto">
            <ToolInputView input={request.input} />
          </div>
          {denying ? (
            <DenyForm kind={request.kind} state={state} cancel={() => setDenying(false)} />
          ) : (
            <Answers request={request} state={state} deny={() => setDenying(true)} />
          )}
        </>
      )}
      {state.error !== null && (
        <p role="alert" className="border-t px-3 py-2 text-sm text-red">
          <Words text={tellError(state.error).sentence} />
        </p>
      )}
      <details className="border-t px-3 text-sm">
        <summary className="py-1 text-faint">In a terminal</summary>
        <div className="flex items-center pb-1">
          <code className="min-w-0 flex-1 break-all">
            {cliTwin.answer(sessionId, request.requestId, 'allow')}
          </code>
          <CopyButton
            text={cliTwin.answer(sessionId, request.requestId, 'allow')}
            label="Copy the command"
          />
        </div>
      </details>
    </section>
  );
}

function Expiry({ request }: { request: ApprovalRequest }) {
  const now = useNow('second');
  if (request.expiresAt === null) return <Ago at={request.requestedAt} />;
  const left = request.expiresAt - now;
  return <>{left > 0 ? `waits ${formatSpan(left)} more` : 'no longer waits'}</>;
}

type AnswersProps = { request: ApprovalRequest; state: AnswerState; deny: () => void };

function Answers({ request, state, deny: startDenying }: AnswersProps) {
  const { reason, busy } = state;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t p-3 max-md:*:h-11 max-md:*:flex-1">
      <Button kind="primary" reason={reason} busy={busy} onClick={() => state.answer(allow())}>
        {request.kind === 'plan' ? 'Accept' : 'Allow'}
      </Button>
      <Button reason={reason} busy={busy} onClick={startDenying}>
        {request.kind === 'plan' ? 'Change it…' : 'Deny…'}
      </Button>
      {request.suggestions.map(({ label }, index) => (
        <Button
          key={label}
          kind="quiet"
          reason={reason}
          busy={busy}
          className="h-auto! min-h-8 max-w-full py-1 text-left whitespace-normal! max-md:min-h-11 max-md:basis-full!"
          onClick={() => state.answer(allowAlways(index))}
        >
          <span className="min-w-0 break-words">{label}</span>
        </Button>
      ))}
      {reason !== null && (
        <span className="w-full text-sm text-soft md:w-auto">
          <Words text={reason} />
        </span>
      )}
    </div>
  );
}

type DenyFormProps = { kind: ApprovalRequest['kind']; state: AnswerState; cancel: () => void };

function DenyForm({ kind, state, cancel }: DenyFormProps) {
  const [message, setMessage] = useState('');
  const id = useId();
  return (
    <form
      className="border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        state.answer(deny(message));
      }}
    >
      <label htmlFor={id} className="mb-1 block text-sm text-soft">
        {kind === 'push'
          ? 'Why not? This is kept with the push; tell the session itself what to do instead.'
          : 'What should it do instead? The engine is told this; it may stay empty.'}
      </label>
      <textarea
        id={id}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to write here
        autoFocus
        rows={2}
        className={inputClass()}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="mt-2 flex gap-2">
        <Button kind="primary" type="submit" reason={state.reason} busy={state.busy}>
          Deny
        </Button>
        <Button kind="quiet" onClick={cancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
