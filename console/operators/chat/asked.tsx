import type { AskedPermission } from '../../../protocol/pane-question.ts';
import { Until } from '../../ui/time.tsx';

/** What a coding agent in the operator's terminal asks leave for, through its own hooks. */
export function Asked({ asked, expiresAt }: { asked: AskedPermission; expiresAt: number }) {
  const { engine, asks, input, omitted, directory } = asked;
  return (
    <>
      <p>
        <span className="font-medium">{engine}</span>{' '}
        <span className="text-soft">
          in its terminal asks to use <code>{asks}</code>
          {directory !== null && (
            <>
              {' '}
              in <code className="break-all">{directory}</code>
            </>
          )}
          . It stands in the terminal alone <Until at={expiresAt} />.
        </span>
      </p>
      <Shown text={input} />
      {omitted > 0 && (
        <p className="mb-2 text-sm text-amber">
          {omitted} further characters of it are shown in the terminal alone.
        </p>
      )}
    </>
  );
}

export function Shown({ text }: { text: string }) {
  return (
    <pre className="my-2 max-h-60 overflow-auto rounded-md bg-sunken p-2 text-sm whitespace-pre-wrap">
      {text}
    </pre>
  );
}
