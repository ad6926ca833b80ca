import { useState } from 'react';
import type { PilotView } from '../../protocol/pilot-view.ts';
import { askPilot } from '../api/pilot.ts';
import { tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Twin } from '../ui/copy.tsx';
import { Field, inputClass } from '../ui/field.tsx';

/** The next instruction, as proposed or as the person wants it; sent only when they say so. */
export function Proposal({ pilot, onDone }: { pilot: PilotView; onDone: () => unknown }) {
  const { sessionId, step, proposal, proposesAnew } = pilot;
  const [text, setText] = useState(proposal ?? '');
  const [anew, setAnew] = useState(true);
  const instruction = text === proposal ? null : text;
  const keep = proposesAnew !== null && !anew;
  const confirm = usePress({
    mutationFn: () =>
      askPilot(sessionId, {
        action: 'confirm',
        step,
        ...(instruction !== null && { instruction }),
        ...(keep && { keep }),
      }),
    onSuccess: onDone,
  });
  return (
    <div className="mt-3">
      <Field
        id="pilot-proposal"
        label={proposal === null ? 'Say what to do next' : 'It proposes'}
        problem={confirm.isError ? tellError(confirm.error).sentence : undefined}
      >
        <textarea
          id="pilot-proposal"
          rows={6}
          className={inputClass()}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {proposesAnew !== null && (
        <label className="mb-3 flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-[var(--accent)]"
            checked={anew}
            onChange={(event) => setAnew(event.target.checked)}
          />
          Begin the conversation anew before it
        </label>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          kind="primary"
          busy={confirm.isPending}
          reason={text.trim() === '' ? 'An instruction needs words.' : null}
          onClick={() => confirm.mutate()}
        >
          Send it
        </Button>
        <Twin text={cliTwin.confirmStep(sessionId, step, instruction, keep)} />
      </div>
    </div>
  );
}
