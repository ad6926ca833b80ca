import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LiveMarkdown, Markdown } from '../../../console/transcript/markdown.tsx';
import { draw } from '../support/render.tsx';

describe('what an engine writes', () => {
  it('is never run or loaded: tags are text, pictures are words, addresses are checked', () => {
    const { container } = draw(
      <Markdown
        text={
          '<img src=x onerror=alert(1)> <script>alert(1)</script>\n\n![spy](https://spy.example/p.png)\n\n[x](javascript:alert(1))'
        }
      />,
    );
    expect(container.querySelector('img, script')).toBeNull();
    expect(container).toHaveTextContent('picture: spy');
    expect(container.querySelector('a')?.getAttribute('href') ?? '').not.toContain('javascript');
  });

  it('opens links elsewhere, without telling where from', () => {
    draw(<Markdown text="[docs](https://example.com)" />);
    const link = screen.getByRole('link', { name: 'docs' });
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  });

  it('has tables', () => {
    draw(<Markdown text={'| a | b |\n|---|---|\n| 1 | 2 |'} />);
    expect(screen.getByRole('cell', { name: '2' })).toBeInTheDocument();
  });

  it('is the same text while it is being written', () => {
    const { container } = draw(<LiveMarkdown text={'One\n\n```\ncode\n\nmore'} />);
    expect(container.querySelectorAll('pre')).toHaveLength(1);
    expect(container).toHaveTextContent(/One\s*code more/);
  });
});
