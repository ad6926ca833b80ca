import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { splitBlocks } from './split-blocks.ts';

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  // A picture would be fetched from wherever the text says, and tell that place who reads it.
  img: ({ alt, src }) => (
    <span className="text-soft">
      [picture{alt ? `: ${alt}` : ''}
      {typeof src === 'string' ? ` at ${src}` : ''}]
    </span>
  ),
};

/** Markdown without raw HTML: tags in it are shown as the text that they are. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});

/** Markdown that is still being written: finished paragraphs are not read again. */
export function LiveMarkdown({ text }: { text: string }) {
  return splitBlocks(text).map((block, index) => <Markdown key={index} text={block} />);
}
