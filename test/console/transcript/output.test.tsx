import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { wholeText } from '../../../protocol/text.ts';
import { foldLines, ToolOutput } from '../../../console/transcript/output.tsx';
import { draw } from '../support/render.tsx';

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

describe('long output', () => {
  it('shows its head and its tail, and counts what is between', () => {
    const fold = foldLines(`${lines(100)}\n`);
    expect(fold?.hidden).toBe(68);
    expect(fold?.head.startsWith('line 0\n')).toBe(true);
    expect(fold?.tail.endsWith('line 99')).toBe(true);
    expect(foldLines(lines(40))).toBeNull();
  });

  it('shows all of it when asked', async () => {
    draw(<ToolOutput sessionId="ses_a" toolId="t" output={wholeText(lines(100))} />);
    expect(screen.queryByText(/line 50\b/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show 68 more lines' }));
    expect(screen.getByText(/line 50\b/)).toBeInTheDocument();
  });
});

describe('output that the record holds a part of', () => {
  const cut = { text: 'the head', truncated: { bytes: 20_000, sha256: 'x' } };

  it('says so, and fetches the rest from the machine', async () => {
    const fetched = vi.fn<typeof fetch>(async () => Response.json({ text: 'all of it', bytes: 9 }));
    vi.stubGlobal('fetch', fetched);
    draw(<ToolOutput sessionId="ses_a" toolId="t/1" output={cut} />);
    expect(screen.getByText(/a part of 20 KB/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show full output' }));
    expect(await screen.findByText('all of it')).toBeInTheDocument();
    expect(fetched).toHaveBeenCalledWith(
      '/v1/sessions/ses_a/tools/t%2F1/output',
      expect.anything(),
    );
    vi.unstubAllGlobals();
  });

  it('is told as gone when the machine no longer has it', async () => {
    const error = {
      code: 'output_not_found',
      message: 'No longer kept.',
      retryable: false,
      context: {},
      requestId: 'r',
    };
    vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 404 }));
    draw(<ToolOutput sessionId="ses_a" toolId="t" output={cut} />);
    await userEvent.click(screen.getByRole('button', { name: 'Show full output' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('No longer kept.');
    vi.unstubAllGlobals();
  });

  it('that is empty says that nothing was printed', () => {
    draw(<ToolOutput sessionId="ses_a" toolId="t" output={wholeText('')} />);
    expect(screen.getByText('It printed nothing.')).toBeInTheDocument();
  });
});
