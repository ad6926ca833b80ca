import type { Narrowing } from '../../protocol/ceiling.ts';
import type { OperatorDefinition } from '../../protocol/operator.ts';
import type { TerminalTool } from '../../protocol/terminal.ts';
import { Choice } from '../ui/field.tsx';

/** The tools that an instance keeps: taking one away holds from its next call on. */
export function NarrowForm({
  definition,
  narrowing,
  narrow,
  busy,
}: {
  definition: OperatorDefinition;
  narrowing: Narrowing;
  narrow: (narrowing: Narrowing) => void;
  busy: boolean;
}) {
  const { tools } = definition.ceiling;
  const kept = narrowing.tools ?? tools;
  const toggle = (tool: TerminalTool) => {
    const next = kept.includes(tool)
      ? kept.filter((one) => one !== tool)
      : tools.filter((one) => one === tool || kept.includes(one));
    const { surfaceOptions } = narrowing;
    const rest = surfaceOptions && { surfaceOptions };
    narrow({ ...rest, ...(next.length < tools.length && { tools: next }) });
  };
  return (
    <div className="grid overflow-hidden rounded-md border bg-raised sm:grid-cols-2">
      {tools.map((tool) => (
        <Choice
          key={tool}
          name={tool}
          multiple
          disabled={busy}
          checked={kept.includes(tool)}
          onChoose={() => toggle(tool)}
          label={<code className="text-sm">{tool}</code>}
        />
      ))}
    </div>
  );
}
