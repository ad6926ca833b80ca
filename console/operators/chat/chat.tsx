import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChatState, type ChatView, isWorking } from '../../../protocol/operator-chat.ts';
import { CHAT_KEY, chatQuery, stopChat } from '../../api/chat.ts';
import { tellError } from '../../errors.ts';
import { plural } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { usePress } from '../../lib/use-press.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorPanel, Skeleton } from '../../ui/states.tsx';
import { Entries } from './entries.tsx';
import { Say } from './say.tsx';
import { Requests } from './requests.tsx';
import { Words } from '../../ui/words.tsx';

const STATES: Record<ChatState, string> = {
  idle: '',
  thinking: 'thinking',
  calling: 'at work in the terminal',
  waiting: 'waits for you',
  resting: 'waits a while before it looks again',
  stopped: 'stopped',
  halted: 'needs you',
};

/** The conversation with the agent of an instance. `obstacle`: why nothing can be said to it now. */
export function Chat({ instanceId, obstacle }: { instanceId: string; obstacle: string | null }) {
  const chat = useQuery(chatQuery(instanceId));
  const view = chat.data;
  return (
    <section aria-label="Conversation" className="in-order flex flex-col gap-3">
      {chat.isPending && <Skeleton label="Reading the conversation" />}
      {chat.isError && !view && <ErrorPanel error={chat.error} retry={() => void chat.refetch()} />}
      {view && <Conversation view={view} />}
      <Requests instanceId={instanceId} />
      {view && <Standing instanceId={instanceId} view={view} />}
      <Say instanceId={instanceId} obstacle={obstacle} />
    </section>
  );
}

/** The end of the conversation is in sight whenever it grows. */
const reveal = (end: HTMLDivElement | null): void => end?.scrollIntoView({ block: 'nearest' });

function Conversation({ view: { entries } }: { view: ChatView }) {
  if (entries.length === 0)
    return (
      <Empty title="Nothing was said yet">
        Say what it should do, for example: watch the build and restart it when it fails. It asks
        you before what you have not agreed to.
      </Empty>
    );
  return (
    <div
      role="log"
      aria-label="What was said and done"
      className="max-h-[60vh] overflow-y-auto rounded-md border bg-raised p-3"
    >
      <Entries entries={entries} />
      <div key={entries.at(-1)?.seq} ref={reveal} />
    </div>
  );
}

/** What it is doing, what it came to, and the way to stop it. */
function Standing({ instanceId, view }: { instanceId: string; view: ChatView }) {
  const queries = useQueryClient();
  const stop = usePress({
    mutationFn: () => stopChat(instanceId),
    onSuccess: () => queries.invalidateQueries({ queryKey: CHAT_KEY }),
  });
  const { state } = view;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span aria-live="polite">{STATES[state]}</span>
      <span className="text-faint" title="Estimated from tokens and a price table.">
        {sayCost(view)}
      </span>
      {stop.isError && (
        <span className="text-red">
          <Words text={tellError(stop.error).sentence} />
        </span>
      )}
      {isWorking(state) && (
        <span className="ml-auto">
          <Button size="small" busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        </span>
      )}
    </div>
  );
}

/** An estimate; of less than a cent no more is said than that. */
const sayAbout = (microUsd: number): string => {
  const amount = formatMoney(microUsd);
  return amount.startsWith('<') ? amount : `~${amount}`;
};

/** What its model came to, as far as that is known; nothing where it was asked for nothing. */
export function sayCost({
  spentMicroUsd,
  unpriced,
  budgetMicroUsd,
}: Pick<ChatView, 'spentMicroUsd' | 'unpriced' | 'budgetMicroUsd'>): string {
  const of = budgetMicroUsd === null ? '' : ` of ${formatMoney(budgetMicroUsd)}`;
  const parts = [
    spentMicroUsd > 0 && `${sayAbout(spentMicroUsd)}${of}`,
    unpriced > 0 && `${plural(unpriced, 'answer')} whose cost is not known`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `its model: ${parts.join(' and ')}`;
}
