import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { wholeText } from '../../../protocol/text.ts';
import type { TextItem } from '../../../console/feed/items.ts';
import type { LiveBlock } from '../../../console/feed/live-text.ts';
import { LiveRow, TextRow } from '../../../console/transcript/text-rows.tsx';
import { TURN } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const text = (voice: TextItem['voice'], said: TextItem['text']): TextItem => ({
  kind: 'text',
  key: 'text:1',
  at: 1,
  turnId: TURN,
  parentToolId: null,
  voice,
  text: said,
});

describe('what an engine said', () => {
  it('is open where it is the answer', () => {
    const { container } = draw(<TextRow item={text('answer', wholeText('It is **done**.'))} />);
    expect(screen.getByText('done').tagName).toBe('STRONG');
    expect(container.querySelector('details')).toBeNull();
  });

  it.each([
    ['narration', 'Narration'],
    ['thinking', 'Thinking'],
  ] as const)('is one line until it is opened where it is %s', (voice, label) => {
    const { container } = draw(<TextRow item={text(voice, wholeText('x'.repeat(300)))} />);
    expect(container.querySelector('details')).not.toHaveAttribute('open');
    expect(container.querySelector('summary')?.textContent).toBe(label + 'x'.repeat(240));
  });

  it('says how long it was where the record cut it', () => {
    const cut = { text: 'The head', truncated: { bytes: 2_000_000, sha256: 'x' } };
    draw(<TextRow item={text('answer', cut)} />);
    expect(screen.getByText(/^Cut: the whole text has 2(\.0)? MB\.$/)).toBeInTheDocument();
  });
});

describe('text that is still being written', () => {
  const block = (over: Partial<LiveBlock>): LiveBlock =>
    ({ kind: 'answer', text: '', missing: 0, ...over }) as LiveBlock;

  it('shows the last line of a thought alone', () => {
    const { container } = draw(
      <LiveRow block={block({ kind: 'thinking', text: 'first\nsecond\n\n' })} />,
    );
    expect(container).toHaveTextContent(/^Thinkingsecond$/);
  });

  it('is told as unfinished, and as without its beginning where that is not here yet', () => {
    const { container, redraw } = draw(<LiveRow block={block({ text: 'and *then*' })} />);
    expect(container.querySelector('[aria-busy=true]')).toHaveTextContent(/^and then$/);
    redraw(<LiveRow block={block({ text: 'and then', missing: 12 })} />);
    expect(screen.getByText('… the beginning follows')).toBeInTheDocument();
  });
});
