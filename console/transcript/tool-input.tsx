import { useMemo } from 'react';
import type { CappedText } from '../../protocol/text.ts';
import { formatBytes } from '../format/bytes.ts';
import { Patch } from './diff.tsx';
import { describeInput } from './describe-input.ts';
import { Markdown } from './markdown.tsx';
import { useShorten } from './shorten.ts';

/** What a tool was asked to do, in the form that shows it best. */
export function ToolInputView({ input }: { input: CappedText }) {
  const shorten = useShorten();
  const described = useMemo(() => describeInput(input.text), [input.text]);
  return (
    <>
      {described.kind === 'command' && (
        <div className="px-3 py-2">
          {described.description !== null && (
            <p className="mb-1 text-sm text-soft">{described.description}</p>
          )}
          <pre className="terminal-text">
            <span className="text-faint select-none">$ </span>
            {described.command}
          </pre>
        </div>
      )}
      {described.kind === 'patch' && (
        <>
          <p className="px-3 py-1 text-sm">
            <code className="break-all">{shorten(described.path)}</code>
          </p>
          <Patch patch={described.patch} />
        </>
      )}
      {described.kind === 'plan' && (
        <div className="prose-engine px-3 py-2">
          <Markdown text={described.text} />
        </div>
      )}
      {described.kind === 'text' && <pre className="terminal-text px-3 py-2">{described.text}</pre>}
      {input.truncated !== null && (
        <p className="px-3 pb-2 text-sm text-soft">
          Cut: the whole input has {formatBytes(input.truncated.bytes)}.
        </p>
      )}
    </>
  );
}
