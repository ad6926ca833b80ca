import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type EngineEntry, ownVersionOf, readPresetFile } from '../../protocol/engines.ts';
import { parsePreset, describeFaults } from '../../protocol/preset.ts';
import { enginesQuery } from '../api/engines.ts';
import { type EngineDraft, draftOf, EMPTY_ENGINE } from '../engines/draft.ts';
import { EngineHistory } from '../engines/engine-history.tsx';
import { EngineForm } from '../engines/engine-form.tsx';
import { EngineRows } from '../engines/engine-rows.tsx';
import { RemoveEngine } from '../engines/remove-engine.tsx';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

type Open =
  | { kind: 'form'; title: string; start: EngineDraft; basedOn: number }
  | { kind: 'history'; entry: EngineEntry }
  | { kind: 'remove'; entry: EngineEntry };

/** Which engines there are, and a person's own among them. */
export function EnginesPage() {
  const query = useQuery(enginesQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => setOpen(null);
  const add = (start: EngineDraft = EMPTY_ENGINE, title = 'An engine of your own') =>
    setOpen({ kind: 'form', title, start, basedOn: 0 });
  const own = query.data?.filter(({ origin }) => origin === 'own') ?? [];
  const builtIn = query.data?.filter(({ origin }) => origin === 'builtIn') ?? [];
  const actions = {
    edit: ({ preset, origin, version }: EngineEntry) => {
      // One of the product stays as it is: what is edited is the person's own version of it.
      const start = origin === 'own' ? preset : ownVersionOf(preset);
      const standing = own.find((each) => each.preset.id === start.id);
      setOpen({
        kind: 'form',
        title: origin === 'own' ? `Edit ${preset.label}` : `Your own ${preset.label}`,
        start: draftOf(standing && origin !== 'own' ? standing.preset : start),
        basedOn: (origin === 'own' ? version : standing?.version) ?? 0,
      });
    },
    copy: ({ preset }: EngineEntry) => add({ ...draftOf(preset), id: `my-${preset.id}` }),
    history: (entry: EngineEntry) => setOpen({ kind: 'history', entry }),
    remove: (entry: EngineEntry) => setOpen({ kind: 'remove', entry }),
  };
  const load = (text: string) => {
    const read = readPresetFile(text);
    const parsed = read && parsePreset(read.preset);
    if (!parsed) return setProblem('This is no file of an engine. Export writes one.');
    if (!parsed.ok) return setProblem(`The file cannot be used: ${describeFaults(parsed.faults)}.`);
    setProblem(null);
    const standing = own.find(({ preset }) => preset.id === parsed.preset.id);
    return setOpen({
      kind: 'form',
      title: standing ? `Import over ${standing.preset.label}` : 'Import an engine',
      start: draftOf(parsed.preset),
      basedOn: standing?.version ?? 0,
    });
  };
  return (
    <Page
      title="Engines"
      aside={
        <div className="flex gap-2">
          <ImportButton load={load} />
          <Button kind="primary" onClick={() => add()}>
            Add an engine
          </Button>
        </div>
      }
    >
      {problem !== null && (
        <p role="alert" className="mb-3 text-sm text-red">
          {problem}
        </p>
      )}
      {query.isPending && <Skeleton label="Reading the engines" />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data && (
        <>
          <Section title="Your own" count={own.length}>
            {own.length === 0 ? (
              <Empty title="No engine of your own yet">
                Any command that takes a text and prints an answer can be one, and so can a known
                engine with words of yours. A machine runs it once you approved it there.
              </Empty>
            ) : (
              <EngineRows label="Your own engines" entries={own} {...actions} />
            )}
          </Section>
          <Section title="With Pilothouse">
            <EngineRows label="Engines that come with Pilothouse" entries={builtIn} {...actions} />
          </Section>
          <p className="text-sm text-faint">
            <code>{cliTwin.engines()}</code>
          </p>
        </>
      )}
      {open?.kind === 'form' && (
        <Dialog open onOpenChange={close} title={open.title}>
          <EngineForm start={open.start} basedOn={open.basedOn} saved={close} />
        </Dialog>
      )}
      {open?.kind === 'history' && <EngineHistory preset={open.entry.preset} close={close} />}
      {open?.kind === 'remove' && <RemoveEngine entry={open.entry} close={close} />}
    </Page>
  );
}

function ImportButton({ load }: { load: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of an engine"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void file.text().then(load);
        }}
      />
      <Button onClick={() => input.current?.click()}>Import</Button>
    </>
  );
}
