import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Grade } from '../../../../protocol/grade.ts';
import { ByHand } from '../../../../console/session/side/by-hand.tsx';

afterEach(cleanup);

const PROCESS = {
  argv: ['claude', '--resume', 'c 1'],
  directory: '/srv/app',
  environment: ['HOME'],
};
const show = (grade: Grade | null, process = PROCESS) =>
  render(
    <ByHand
      process={process}
      view={{
        engine: null,
        checkout: grade && ({ grade: { grade, reason: 'It was chosen at launch.' } } as never),
      }}
    />,
  );

describe('the command for a person’s own terminal', () => {
  it.each(['sealed', 'fenced'] as const)(
    'of a %s session says beside it that by hand it has the person’s power',
    (grade) => {
      show(grade);
      expect(screen.getByText(`By hand it is not ${grade}.`)).toBeTruthy();
      expect(screen.getByText(/has your power: your files, your keys and logins/)).toBeTruthy();
      expect(screen.getByText(/pushes that no gate judges/)).toBeTruthy();
    },
  );

  it.each(['open', null] as const)('of a session that is %s has nothing to warn of', (grade) => {
    show(grade);
    expect(screen.queryByText(/By hand it is not/)).toBeNull();
    expect(screen.queryByText(/your power/)).toBeNull();
  });

  it('is the session’s own, in its directory, and says that it is in no ledger', () => {
    show('sealed');
    expect(screen.getByText("cd /srv/app && claude --resume 'c 1'")).toBeTruthy();
    expect(screen.getByText(/unmetered/)).toBeTruthy();
    expect(screen.getByText('1 environment variable, by name')).toBeTruthy();
    expect(screen.getByText('HOME')).toBeTruthy();
  });

  it('names no variables where there are none', () => {
    show('open', { ...PROCESS, environment: [] });
    expect(screen.queryByText(/by name/)).toBeNull();
  });
});
