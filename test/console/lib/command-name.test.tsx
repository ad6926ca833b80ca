import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { me } from '../../../protocol/http.ts';
import { read } from '../../../console/api/client.ts';
import { sentenceOfCode, tellError } from '../../../console/errors.ts';
import { cliTwin } from '../../../console/format/cli.ts';
import { noteCommandName } from '../../../console/lib/command-name.ts';
import { errorAnswer } from '../../../console/mock/world.ts';
import { commandIn, Words } from '../../../console/ui/words.tsx';

afterEach(() => {
  noteCommandName('pilothouse');
  vi.unstubAllGlobals();
});

it('a command goes by its own name until the server has said another', () => {
  noteCommandName(null);
  expect(cliTwin.link()).toBe('pilothouse link');
});

it('the name comes with every answer, so that whoever is not signed in has it too', async () => {
  const { status, body } = errorAnswer('unauthenticated');
  const headers = { 'x-pilothouse-command': 'npx pilothouse' };
  vi.stubGlobal('fetch', async () => Response.json(body, { status, headers }));
  const failure: unknown = await read(me, '/v1/me').catch((error: unknown) => error);
  expect(tellError(failure).sentence).toContain('`npx pilothouse link`');
  expect(cliTwin.link()).toBe('npx pilothouse link');
});

it('every sentence names the command so: those of a code, and what a machine reported', () => {
  noteCommandName('npx pilothouse');
  expect(sentenceOfCode('engine_missing')).toContain('`npx pilothouse runner doctor`');
  const remedy = 'Run `pilothouse runner doctor` on this machine.';
  expect(commandIn(remedy)).toBe('npx pilothouse runner doctor');
  render(<Words text={remedy} />);
  expect(screen.getByText('npx pilothouse runner doctor')).toBeTruthy();
});
