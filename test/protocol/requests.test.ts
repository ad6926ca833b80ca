import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { overrideReason, REASON_MAX_CHARS } from '../../protocol/breach.ts';
import { branchText } from '../../protocol/git-names.ts';
import { INSTRUCTION_MAX_CHARS, instructionText } from '../../protocol/instruction.ts';
import { landRequest } from '../../protocol/land.ts';
import { makeMcpKeyRequest } from '../../protocol/mcp.ts';
import { policyQuery, savePolicyRequest } from '../../protocol/policy-http.ts';
import { GROWTH_SESSIONS, usageExportQuery, usageTurnsQuery } from '../../protocol/usage-views.ts';

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const TREE = 'a'.repeat(40);
const land = (over: object) => ({ tree: TREE, how: 'commit', message: 'Mend the tide', ...over });

describe('an instruction', () => {
  it.each([
    ['words', 'Fix it', true],
    ['spaces alone', ' \n\t ', false],
    ['nothing', '', false],
    ['as much as there may be', 'a'.repeat(INSTRUCTION_MAX_CHARS), true],
    ['more than that', 'a'.repeat(INSTRUCTION_MAX_CHARS + 1), false],
  ])('of %s is taken or not', (_what, text, taken) => {
    expect(takes(instructionText, text)).toBe(taken);
  });

  it('keeps its spaces: they may mean something', () => {
    expect(instructionText.parse('  - a\n')).toBe('  - a\n');
  });
});

describe('the name of a branch', () => {
  it.each(['main', 'release/2.1', 'fix-é', 'a.b_c@d'])('may be %j', (name) => {
    expect(takes(branchText, name)).toBe(true);
  });

  it.each([
    '',
    '-D',
    '--upload-pack=x',
    'a b',
    'a\nb',
    'a:b',
    'a~1',
    'a^',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a\u0000',
  ])('is never an option, a revision or a pattern: %j', (name) => {
    expect(takes(branchText, name)).toBe(false);
  });

  it('is no longer than git and a URL can bear', () => {
    expect(takes(branchText, 'x'.repeat(250))).toBe(true);
    expect(takes(branchText, 'x'.repeat(251))).toBe(false);
  });
});

describe('landing work', () => {
  it('goes to the default branch where none is named', () => {
    expect(landRequest.parse(land({ message: '  Mend\n\nWhy\tso  ' }))).toEqual({
      tree: TREE,
      how: 'commit',
      message: 'Mend\n\nWhy\tso',
      base: null,
    });
  });

  it.each([
    [{ tree: 'a'.repeat(39) }, 'a short tree'],
    [{ tree: `${'a'.repeat(39)}G` }, 'a tree that is no hash'],
    [{ how: 'merge' }, 'a way that there is not'],
    [{ message: ' \n ' }, 'a message without words'],
    [{ message: 'a\u001B[31mred' }, 'an escape sequence'],
    [{ message: 'a\r\nb' }, 'a carriage return'],
    [{ message: 'a\uD800' }, 'half of a character'],
    [{ base: '--force' }, 'an option as a branch'],
  ])('is refused with %o: %s', (over, _what) => {
    expect(takes(landRequest, land(over))).toBe(false);
  });
});

describe('a key for MCP', () => {
  const instanceId = 'ins_1';
  it.each([
    [{ scopes: ['read'] }, true],
    [{ instanceId }, true],
    [{}, false],
    [{ instanceId, scopes: ['read'] }, false],
    [{ scopes: ['admin'] }, false],
    [{ scopes: ['read'], name: '  ' }, false],
  ])('opens an instance or scopes, never both and never neither: %o', (over, taken) => {
    expect(takes(makeMcpKeyRequest, { name: 'desk', ...over })).toBe(taken);
  });
});

describe('a policy', () => {
  it.each([
    [{}, true],
    [{ runnerId: 'run_1', directory: '/code' }, true],
    [{ runnerId: 'run_1' }, false],
    [{ directory: '/code' }, false],
    [{ runnerId: 'run_1', directory: '' }, false],
  ])('is asked for of a directory on a machine, or of neither: %o', (query, taken) => {
    expect(takes(policyQuery, query)).toBe(taken);
  });

  const save = { scope: { kind: 'account' }, part: {}, widens: null, basedOn: 0 };
  it.each([
    [{}, true],
    [{ widens: '  I look at each  ' }, true],
    [{ widens: '   ' }, false],
    [{ basedOn: -1 }, false],
    [{ part: { mode: 'everything' } }, false],
    [{ scope: { kind: 'session', sessionId: 'ses_1' } }, false],
  ])('is saved for a scope that lasts, with words where it widens: %o', (over, taken) => {
    expect(takes(savePolicyRequest, { ...save, ...over })).toBe(taken);
  });
});

describe('an answer for a breach', () => {
  it.each([
    ['ok', false],
    ['  a  ', false],
    ['I merged it by hand', true],
  ])('says why: %j', (reason, taken) => {
    expect(takes(overrideReason, reason)).toBe(taken);
  });

  it('says it in a thousand characters', () => {
    expect(takes(overrideReason, 'x'.repeat(REASON_MAX_CHARS))).toBe(true);
    expect(takes(overrideReason, 'x'.repeat(REASON_MAX_CHARS + 1))).toBe(false);
  });
});

describe('asking for usage', () => {
  it('of several sessions is one list of their ids', () => {
    expect(usageTurnsQuery.parse({ sessions: 'ses_a,ses_b' }).sessions).toEqual(['ses_a', 'ses_b']);
  });

  it.each(['', 'ses_a,', 'ses_a,run_b'])('of %j is refused', (sessions) => {
    expect(takes(usageTurnsQuery, { sessions })).toBe(false);
  });

  it('of more sessions than are told at once is refused', () => {
    const some = (count: number) => ({ sessions: Array(count).fill('ses_a').join(',') });
    expect(takes(usageTurnsQuery, some(GROWTH_SESSIONS))).toBe(true);
    expect(takes(usageTurnsQuery, some(GROWTH_SESSIONS + 1))).toBe(false);
  });

  it('as a file is a table by default, within times that are numbers', () => {
    expect(usageExportQuery.parse({ from: '5' })).toEqual({ from: 5, format: 'csv' });
    expect(takes(usageExportQuery, { format: 'xml' })).toBe(false);
    expect(takes(usageExportQuery, { to: 'yesterday' })).toBe(false);
  });
});
