import { expect, it } from 'vitest';
import { checkTerminal } from '../../../runner/doctor/terminal.ts';
import { findPtyProblem } from '../../../runner/takeover/pty.ts';

it('opens a pseudo-terminal here to see that it can', async () => {
  expect(await findPtyProblem()).toBeNull();
});

it('says what is missing and what to do, and that the limits forbid it', () => {
  const missing = checkTerminal('it is not installed', true, '/p');
  expect(missing).toMatchObject({ check: 'terminal', status: 'warning' });
  expect(missing.message).toContain('it is not installed');
  expect(missing.remedy).toContain('npm install');
  expect(checkTerminal(null, false, '/p').message).toContain('takeover = false');
  expect(checkTerminal(null, true, '/p')).toMatchObject({ status: 'ok', remedy: null });
});
