import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { isOnLoopback, Served } from '../../../../console/session/side/preview-panel.tsx';
import { asked } from '../../support/house.tsx';
import { draw } from '../../support/render.tsx';
import { openChanges } from './open-changes.ts';

describe('what a session serves', { timeout: 40_000 }, () => {
  it('is opened by a link that tells the server nothing of the console', async () => {
    const { world, path } = await openChanges();
    await userEvent.click(screen.getByRole('tab', { name: 'Preview' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Preview port 5173' }));
    const link = await screen.findByRole('link', { name: 'Open port 5173' });
    expect(link).toHaveAttribute('href', 'http://sentinel.localhost:5173/');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    expect(screen.getByText(/give it no password/)).toBeVisible();
    expect(asked(world)).toEqual([{ path: `${path}/previews`, body: { port: 5173 } }]);
  });

  it('is not offered to a browser elsewhere, which is told why and what to do on the machine', async () => {
    const items = [{ port: 5173, program: 'vite', ownNetwork: false }];
    draw(<Served sessionId="ses_far" machine="lighthouse" items={items} here={false} />);
    const button = screen.getByRole('button', { name: 'Preview port 5173' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(button);
    expect(screen.getByText(/It opens in a browser on lighthouse alone/)).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByText(/pilothouse sessions preview ses_far/)).toBeVisible();
  });

  it('says where it opens before there is anything to open', () => {
    draw(<Served sessionId="ses_far" machine="lighthouse" items={[]} here={false} />);
    expect(screen.getByText(/on lighthouse alone\. This browser is elsewhere/)).toBeVisible();
  });

  it('is reached from the machine itself alone', () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]', '127.8.0.1'])
      expect(isOnLoopback(name)).toBe(true);
    for (const name of ['console.example.com', '127.0.0.1.example.com', '192.168.5.1'])
      expect(isOnLoopback(name)).toBe(false);
  });
});
