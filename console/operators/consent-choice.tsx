import { CONSENTS, type Consent, type Consents } from '../../protocol/ceiling.ts';
import { type TerminalRisk, terminalRisk } from '../../protocol/terminal.ts';
import { Segmented } from '../ui/segmented.tsx';

const DOING: Record<TerminalRisk, string> = {
  read: 'Reads the terminal',
  send: 'Types text or keys',
  run: 'Runs a command',
  kill: 'Closes the terminal',
};
const WORDS: Record<Consent, string> = { never: 'Never', ask: 'Ask me', always: 'Always' };

/** What a person agrees to, by what a call does. */
export function ConsentChoice({
  consents,
  risks,
  choose,
  busy = false,
}: {
  consents: Consents;
  /** Only what it could do at all is asked about. */
  risks: ReadonlySet<TerminalRisk>;
  choose: (risk: TerminalRisk, consent: Consent) => void;
  busy?: boolean;
}) {
  return (
    <ul aria-label="Consents" className="mb-3 divide-y rounded-md border bg-raised">
      {terminalRisk.options
        .filter((risk) => risks.has(risk))
        .map((risk) => (
          <li key={risk} className="flex flex-wrap items-center gap-2 px-3 py-1.5">
            <span className="min-w-0 flex-1">{DOING[risk]}</span>
            <Segmented
              label={DOING[risk]}
              busy={busy}
              value={consents[risk]}
              options={CONSENTS.map((value) => ({ value, label: WORDS[value] }))}
              onChoose={(consent) => choose(risk, consent)}
            />
          </li>
        ))}
    </ul>
  );
}
