import { Link } from '@tanstack/react-router';
import type { InstanceDetail } from '../../protocol/operator-http.ts';

/** A word for how an instance stands, and whether somebody has to do something. */
export function standingOf({ instance, obstacle, offered }: InstanceDetail): {
  word: string;
  needsYou: boolean;
} {
  if (instance.state !== 'active') return { word: instance.state, needsYou: false };
  if (obstacle !== null) return { word: 'not ready', needsYou: true };
  return offered ? { word: 'a version waits', needsYou: true } : { word: 'ready', needsYou: false };
}

/** The instances, newest first, each leading to its page. */
export function InstanceRows({ items }: { items: readonly InstanceDetail[] }) {
  return (
    <ul aria-label="In use" className="divide-y overflow-hidden rounded-md border bg-raised">
      {items.map((detail) => (
        <InstanceRow key={detail.instance.id} detail={detail} />
      ))}
    </ul>
  );
}

function InstanceRow({ detail }: { detail: InstanceDetail }) {
  const { instance, definition, words } = detail;
  const { word, needsYou } = standingOf(detail);
  return (
    <li>
      <Link
        to="/operators/$instanceId"
        params={{ instanceId: instance.id }}
        className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-2 hover:bg-sunken"
      >
        <span className="font-medium break-words">{instance.name}</span>
        <span className="text-sm text-soft">{definition.name}</span>
        <span className={`ml-auto text-sm ${needsYou ? 'text-amber' : 'text-faint'}`}>{word}</span>
        <span className="w-full text-sm break-words text-soft">{words[0]}</span>
      </Link>
    </li>
  );
}
