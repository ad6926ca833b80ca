import { Check, CircleSlash, Clock, type LucideIcon } from 'lucide-react';
import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { ApprovalItem } from '../feed/items.ts';
import { cx } from '../lib/class-names.ts';
import { useShorten } from '../transcript/shorten.ts';
import { Ago } from '../ui/time.tsx';

type Words = { text: string; icon: LucideIcon; className: string };

/** A question is not allowed and a plan is not denied: each has its own words. */
const ANSWERS = {
  tool: ['Allowed', 'Denied'],
  question: ['Answered', 'Not answered'],
  plan: ['Accepted', 'Not accepted'],
  push: ['Allowed', 'Denied'],
} as const satisfies Record<ApprovalRequest['kind'], readonly [string, string]>;

/** How a request stands, in the record's own words: asked, answered, confirmed. */
export function describeApproval(item: ApprovalItem): Words {
  const by = item.channel === null ? '' : ` from the ${item.channel}`;
  const isPush = item.request.kind === 'push';
  const [yes, no] = ANSWERS[item.request.kind];
  switch (item.resolution) {
    case 'allowed':
      return { text: `${yes}${by}`, icon: Check, className: 'text-soft' };
    case 'denied':
      return { text: `${no}${by}`, icon: CircleSlash, className: 'text-soft' };
    case 'expired':
      return {
        text: `Expired unanswered: nothing was ${isPush ? 'pushed' : 'run'}`,
        icon: Clock,
        className: 'text-soft',
      };
    case 'withdrawn':
      return {
        text: isPush ? 'Withdrawn' : 'Withdrawn by the engine',
        icon: Clock,
        className: 'text-faint',
      };
    case null:
      return item.answer === null
        ? { text: 'Waits for your answer', icon: Clock, className: 'text-amber font-medium' }
        : {
            text: `${item.answer.decision === 'allow' ? yes : no}${by}; ${isPush ? 'it is being pushed' : 'the engine has not confirmed it yet'}`,
            icon: Clock,
            className: 'text-soft',
          };
    default:
      return item.resolution satisfies never;
  }
}

/** A request that is over, or that is answered elsewhere on the page: one line. */
export function ApprovalRow({ item }: { item: ApprovalItem }) {
  const { text, icon: Icon, className } = describeApproval(item);
  const { answer, request } = item;
  const shorten = useShorten();
  return (
    <div className="px-4 py-1 text-sm" data-request={request.requestId}>
      <div className="flex items-start gap-2">
        <Icon className={cx('mt-px', className)} />
        <span className={cx('shrink-0', className)}>{text}:</span>
        <span className="min-w-0 flex-1 truncate text-faint">{shorten(request.summary)}</span>
        <Ago at={item.decidedAt ?? item.at} className="shrink-0 text-faint" />
      </div>
      {answer !== null && answer.message !== null && (
        <p className="ml-6 break-words text-soft">“{answer.message}”</p>
      )}
      {Object.entries(answer?.answers ?? {}).map(([question, words]) => (
        <p key={question} className="ml-6 break-words text-soft">
          {question} <span className="text-ink">{words}</span>
        </p>
      ))}
    </div>
  );
}
