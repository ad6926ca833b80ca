import { Command } from '../ui/copy.tsx';

/** Names of this machine alone: a build that runs elsewhere does not reach them. */
const OWN_NAMES = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What a build runs after it has the key: the check, then the post, then the check's own result. */
export function buildCommands(origin: string): string {
  return [
    `export PILOTHOUSE_URL=${origin}`,
    'pilothouse adr check --json > decisions.json; result=$?',
    'pilothouse decisions post decisions.json',
    'exit $result',
  ].join('\n');
}

/** The commands of a build, and what has to be so that it gets here. */
export function BuildSteps() {
  return (
    <>
      <Command text={buildCommands(location.origin)} label="Copy the commands" />
      {OWN_NAMES.test(location.hostname) && (
        <p className="mt-2 text-sm text-soft">
          This address answers on this machine alone. A build that runs elsewhere needs one that it
          can reach: start Pilothouse with <code>--host</code>, or put a tunnel in front of it.
        </p>
      )}
    </>
  );
}
