import { useState } from 'react';
import type { ApprovalRequest, Question } from '../../protocol/approval.ts';
import { STDIN_TOOL } from '../../protocol/prompt.ts';
import { Button } from '../ui/button.tsx';
import { Choice, inputClass } from '../ui/field.tsx';
import { Words } from '../ui/words.tsx';
import type { AnswerState } from './approval-card.tsx';
import { answerQuestions, deny, type Drafted } from './answer.ts';

const NOTHING = { chosen: [], other: '' };

/** The engine's questions: options, and room for words of one's own where it takes any. */
export function QuestionForm({ request, state }: { request: ApprovalRequest; state: AnswerState }) {
  const [drafted, setDrafted] = useState<Drafted>({});
  const answer = answerQuestions(request, drafted);
  // A prompt takes exactly what somebody vouched for.
  const ownWords = request.toolName !== STDIN_TOOL;
  const missing =
    answer !== null
      ? null
      : ownWords
        ? 'Answer each question first: choose an option or write your own.'
        : 'Choose an answer first.';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (answer && state.reason === null && !state.busy) state.answer(answer);
      }}
    >
      {request.questions.map((question, index) => (
        <QuestionFields
          key={question.question}
          name={`${request.requestId}-${index}`}
          question={question}
          ownWords={ownWords}
          value={drafted[index] ?? NOTHING}
          change={(value) => setDrafted({ ...drafted, [index]: value })}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2 border-t p-3 max-md:*:h-11 max-md:*:flex-1">
        <Button kind="primary" type="submit" reason={state.reason ?? missing} busy={state.busy}>
          Answer
        </Button>
        <Button reason={state.reason} busy={state.busy} onClick={() => state.answer(deny(''))}>
          Do not answer
        </Button>
        {state.reason !== null && (
          <span className="text-sm text-soft">
            <Words text={state.reason} />
          </span>
        )}
      </div>
    </form>
  );
}

type QuestionFieldsProps = {
  name: string;
  question: Question;
  ownWords: boolean;
  value: Drafted[number];
  change: (value: Drafted[number]) => void;
};

function QuestionFields({ name, question, ownWords, value, change }: QuestionFieldsProps) {
  const { multiSelect } = question;
  const toggle = (label: string) => {
    const chosen = value.chosen.includes(label);
    if (multiSelect) {
      const others = value.chosen.filter((held) => held !== label);
      change({ ...value, chosen: chosen ? others : [...others, label] });
    } else change({ chosen: [label], other: '' });
  };
  return (
    <fieldset className="border-t first:border-t-0">
      <legend className="float-left w-full px-3 pt-2 pb-1 text-md">{question.question}</legend>
      <div className="clear-both">
        {question.options.map(({ label, description }) => (
          <Choice
            key={label}
            name={name}
            multiple={multiSelect}
            checked={value.chosen.includes(label)}
            onChoose={() => toggle(label)}
            label={label}
            {...(description === null ? {} : { detail: description })}
          />
        ))}
      </div>
      {ownWords && (
        <div className="px-3 py-2">
          <input
            aria-label={`Your own answer: ${question.question}`}
            placeholder="Or in your own words"
            className={inputClass()}
            value={value.other}
            onChange={(event) =>
              change({ chosen: multiSelect ? value.chosen : [], other: event.target.value })
            }
          />
        </div>
      )}
    </fieldset>
  );
}
