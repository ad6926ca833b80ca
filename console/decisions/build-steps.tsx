import { Command } from '../ui/copy.tsx';

/** Names of this machine alone: a build that runs elsewhere does not reach them. */
const OWN_NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What a build runs once it has the key: the check, which posts what it found. */
export function buildCommand(origin: string): string {
  return `pilothouse adr check --post ${origin}`;
}

/** The command of a build, and what has to be so that it gets here. */
export function BuildSteps() {
  return (
    <div className="max-w-lg min-w-0 text-left">
      <Command text={buildCommand(location.origin)} label="Copy the command" />
      {OWN_NAMES.test(location.hostname) && (
        <p className="mt-2 text-sm text-soft">
          This address answers on this machine alone. A build that runs elsewhere needs one that it
          can reach: start Pilothouse with <code>--host</code>, or put a tunnel in front of it.
        </p>
      )}
    </div>
  );
}
