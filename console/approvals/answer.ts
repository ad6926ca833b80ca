import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';

const BARE: ApprovalAnswer = { decision: 'allow', message: null, answers: null, suggestion: null };

/** A plain yes. */
export const allow = (): ApprovalAnswer => BARE;

/** Accepts what the engine itself suggests, such as not asking again in this session. */
export const allowAlways = (suggestion: number): ApprovalAnswer => ({ ...BARE, suggestion });

/** A no, with what to do instead where the person wrote it. */
export function deny(message: string): ApprovalAnswer {
  const words = message.trim();
  return { ...BARE, decision: 'deny', message: words === '' ? null : words };
}

/** What a person chose and typed for each question, by its place. */
export type Drafted = Readonly<Record<number, { chosen: readonly string[]; other: string }>>;

/** One question's answer: its own words when there are some, else the labels that were chosen. */
export function answerTo(drafted: Drafted[number] | undefined): string {
  const other = drafted?.other.trim() ?? '';
  const chosen = drafted?.chosen ?? [];
  return [...chosen, ...(other === '' ? [] : [other])].join(', ');
}

/** The answer to all questions of a request; null while one of them has none. */
export function answerQuestions(request: ApprovalRequest, drafted: Drafted): ApprovalAnswer | null {
  const answers: Record<string, string> = {};
  for (const [index, { question }] of request.questions.entries()) {
    const answer = answerTo(drafted[index]);
    if (answer === '') return null;
    answers[question] = answer;
  }
  return { ...BARE, answers };
}
