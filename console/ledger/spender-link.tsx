import { Link } from '@tanstack/react-router';

/** Who spent it: a session with its page, or an operator's agent by name alone. */
export function SpenderLink({ id, label }: { id: string; label: string }) {
  if (!id.startsWith('ses_')) return label;
  return (
    <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="text-accent">
      {label}
    </Link>
  );
}
