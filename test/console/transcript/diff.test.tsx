import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { FileDiff } from '../../../protocol/engine-event.ts';
import { wholeText } from '../../../protocol/text.ts';
import { FileChange, Patch } from '../../../console/transcript/diff.tsx';
import type { PatchLine } from '../../../console/transcript/parse-patch.ts';
import { WorkDirectory } from '../../../console/transcript/shorten.ts';
import { draw } from '../support/render.tsx';

const PATCH = '@@ -7,2 +7,2 @@\n same\n-before\n+after\n\\ No newline at end of file\n';
const rowOf = (text: string) => within(screen.getByText(text).closest('tr') as HTMLElement);

describe('a patch', () => {
  it('says in words what its signs and colours say', () => {
    draw(<Patch patch={PATCH} />);
    expect(rowOf('after').getByText('added')).toBeInTheDocument();
    expect(rowOf('before').getByText('removed')).toBeInTheDocument();
    expect(rowOf('same').queryByText(/added|removed/)).toBeNull();
  });

  it('numbers each line on the side where it is', () => {
    draw(<Patch patch={PATCH} />);
    const numbers = (text: string) =>
      rowOf(text)
        .getAllByRole('cell')
        .slice(0, 2)
        .map((cell) => cell.textContent);
    expect(numbers('same')).toEqual(['7', '7']);
    expect(numbers('before')).toEqual(['8', '']);
    expect(numbers('after')).toEqual(['', '8']);
    expect(numbers('No newline at end of file')).toEqual(['', '']);
  });

  it('has no columns of numbers where no line has one', () => {
    draw(<Patch patch={'-before\n+after'} />);
    expect(rowOf('after').getAllByRole('cell')).toHaveLength(2);
  });

  it('holds a long one back until it is asked for', async () => {
    const lines = Array.from({ length: 121 }, (_, index) => `+line ${index}`);
    draw(<Patch patch={lines.join('\n')} />);
    expect(screen.queryByText('line 120')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show 1 more line' }));
    expect(screen.getByText('line 120')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('takes a comment on each line once: where it came to, or where it was', async () => {
    const comment = vi.fn<(line: PatchLine) => void>();
    draw(<Patch patch={PATCH} comment={comment} />);
    expect(
      screen.getAllByRole('button').map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Comment on line 7', 'Comment on line 8', 'Comment on line 8']);
    await userEvent.click(rowOf('before').getByRole('button'));
    await userEvent.click(rowOf('after').getByRole('button'));
    expect(comment.mock.calls.map(([{ text }]) => text)).toEqual(['before', 'after']);
  });
});

describe('a file that a tool changed', () => {
  const file: FileDiff = {
    path: '/srv/work/src/a.ts',
    change: 'edited',
    patch: wholeText(PATCH),
    additions: 3,
    deletions: 2,
  };
  const show = (over: Partial<FileDiff> = {}) =>
    draw(
      <WorkDirectory value="/srv/work/">
        <FileChange file={{ ...file, ...over }} />
      </WorkDirectory>,
    );

  it('has a short name, its whole path on hover, and its lines counted', () => {
    const { container } = show();
    expect(screen.getByText('src/a.ts')).toHaveAttribute('title', file.path);
    expect(container).toHaveTextContent('+3 −2');
    expect(screen.queryByText('edited')).toBeNull();
  });

  it('says what else than an edit it was', () => {
    show({ change: 'deleted' });
    expect(screen.getByText('deleted')).toBeInTheDocument();
  });

  it('says where the rest is of a diff that the record cut', () => {
    show({ patch: { text: PATCH, truncated: { bytes: 3_000_000, sha256: 'x' } } });
    expect(screen.getByText(/a part of this diff of 3(\.0)? MB; the branch holds/)).toBeVisible();
  });
});
