import { nameBackend } from '../../protocol/operator-words.ts';
import type { TerminalCapabilities } from '../../protocol/terminal.ts';
import { Heading } from '../session/side/facts.tsx';
import { Words } from '../ui/words.tsx';

/** What operators may reach of a machine's terminals, as the machine says itself. */
export function Terminals({ terminals }: { terminals: readonly TerminalCapabilities[] }) {
  return (
    <div className="mt-4">
      <Heading>Terminals for operators</Heading>
      {terminals.length === 0 ? (
        <p className="text-sm text-soft">
          None is open. <code>[terminal]</code> in its limits.toml opens one.
        </p>
      ) : (
        <ul className="divide-y rounded-md border">
          {terminals.map((terminal) => (
            <TerminalLine key={terminal.backend} terminal={terminal} />
          ))}
        </ul>
      )}
    </div>
  );
}

function TerminalLine({ terminal }: { terminal: TerminalCapabilities }) {
  const { backend, available, version, shell, live, note } = terminal;
  const can = [
    shell ? 'commands in the pane’s own shell' : 'commands in a window of their own',
    ...(live ? ['output as it is written'] : []),
  ];
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="font-medium">{nameBackend(backend)}</span>
        {version !== null && <span className="text-sm text-faint">{version}</span>}
        <span className={`ml-auto ${available ? 'text-soft' : 'text-red'}`}>
          {available ? 'open' : 'cannot be reached'}
        </span>
      </div>
      {available && <p className="text-sm text-soft">{can.join(' · ')}</p>}
      {note !== null && (
        <p className="text-sm text-soft">
          <Words text={note} />
        </p>
      )}
    </li>
  );
}
