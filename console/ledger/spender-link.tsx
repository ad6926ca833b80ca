import { Link } from '@tanstack/react-router';

/** Who spent or did it: a session, or an instance of an operator, each with its page. */
export function SpenderLink({ id, label }: { id: string; label: string }) {
  if (id.startsWith('ins_'))
    return (
      <Link to="/operators/$instanceId" params={{ instanceId: id }} className="text-accent">
        {label}
      </Link>
    );
  if (!id.startsWith('ses_')) return label;
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="text-accent">
      {label}
    </Link>
  );
}
