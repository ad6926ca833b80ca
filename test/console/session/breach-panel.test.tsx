import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BreachPanel } from '../../../console/session/breach-panel.tsx';
import { actId } from '../../../protocol/ids.ts';
import { breachFound, halted, overridden } from '../../support/breach-builders.ts';
import { created, viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const sent: [string, unknown][] = [];
beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    sent.push([path, JSON.parse(body)]);
    return Response.json({ accepted: true }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a session that did what its policy forbids', () => {
  it('shows what, by which command, what forbids it, and how to undo it', () => {
    draw(<BreachPanel view={viewAfter(created(), breachFound(), halted)} />);
    expect(screen.getByRole('region', { name: 'Forbidden by its policy' })).toHaveTextContent(
      /Forbidden, and done:.*merge, main on origin/,
    );
    expect(screen.getByText('git push origin HEAD:main')).toBeInTheDocument();
    expect(screen.getByText(/main is protected/)).toBeInTheDocument();
    expect(screen.getByText(/^cd -- .+ &&/)).toHaveTextContent(
      /git push --force-with-lease=refs\/heads\/main:2{40} origin 1{40}:refs\/heads\/main/,
    );
  });

  it('wants a reason before it goes on, and sends it', async () => {
    const view = viewAfter(created(), breachFound(), halted);
    draw(<BreachPanel view={view} />);
    const button = screen.getByRole('button', { name: /Let it go on/ });
    await userEvent.click(button);
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByLabelText('Why may it go on?'), 'it was me{Enter}');
    const path = `/v1/sessions/${view.sessionId}/breaches/act_1/override`;
    await waitFor(() => expect(sent).toEqual([[path, { reason: 'it was me' }]]));
  });

  it('shows those alone that nobody has answered for, and nothing without any', () => {
    const other = breachFound({
      actId: actId.parse('act_2'),
      move: null,
      command: 'gh pr merge 4',
    });
    const view = viewAfter(created(), breachFound(), other, overridden());
    const { container, redraw } = draw(<BreachPanel view={view} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(container).toHaveTextContent('gh pr merge 4');
    redraw(<BreachPanel view={viewAfter(created(), breachFound(), overridden())} />);
    expect(container).toBeEmptyDOMElement();
  });
});
