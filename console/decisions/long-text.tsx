import { useState } from 'react';
import { formatBytes } from '../format/bytes.ts';
import { Button } from '../ui/button.tsx';
import { cutText, showInvisible } from './visible.ts';

/** Text of a repository, its beginning until somebody asks for all of it. */
export function LongText({ text, most = 2_000 }: { text: string; most?: number }) {
  const [whole, setWhole] = useState(false);
  const part = whole ? { text, cut: false } : cutText(text, most);
  return (
    <>
      {showInvisible(part.text)}
      {part.cut && (
        <>
          {'… '}
          <Button size="small" onClick={() => setWhole(true)}>
            Show all {formatBytes(text.length)}
          </Button>
        </>
      )}
    </>
  );
}
