import { modelDifference, type ModelCalls } from '../../../protocol/model-calls.ts';
import { plural } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';

/** What the model gate saw of a session's calls, and how far that is from what the engine told. */
export function describeModelCalls(model: ModelCalls): { line: string; warning: string | null } {
  const { through, reason, calls, refused, microUsd, engineMicroUsd } = model;
  if (through === 'provider')
    return {
      line: `Past the model gate: only the engine’s own figures bound what it spends. ${reason ?? ''}`.trim(),
      warning: null,
    };
  const held = refused > 0 ? `, ${refused} not begun` : '';
  const line = `${plural(calls, 'call')} through the model gate${held}: ${formatMoney(microUsd)} at list prices`;
  const apart = modelDifference(model);
  if (apart === null) return { line, warning: null };
  const [more, by] = [apart > 0 ? 'more' : 'less', formatMoney(Math.abs(apart))];
  return {
    line,
    warning: `The engine told ${formatMoney(engineMicroUsd ?? 0)} for the same turns, ${by} ${more} than the gate saw. A budget counts the higher of the two.`,
  };
}

export function ModelCallsLine({ model }: { model: ModelCalls | undefined }) {
  if (!model)
    return <p className="text-soft">By the engine’s own figures: nobody pays by the call.</p>;
  const { line, warning } = describeModelCalls(model);
  return (
    <>
      <p className="text-soft">{line}</p>
      {warning && <p className="text-amber">{warning}</p>}
    </>
  );
}
