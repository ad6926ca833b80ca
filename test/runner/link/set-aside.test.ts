import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { checkSetAside } from '../../../runner/doctor/checks.ts';
import { listSetAside, SetAside } from '../../../runner/link/set-aside.ts';

const record = { sessionId: sessionId.parse('ses_lost'), code: 'session_not_found', at: 7 };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-aside-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a session is set aside once, and for the next runner too', () => {
  const aside = new SetAside(directory);
  expect([aside.add(record), aside.add(record)]).toEqual([true, false]);
  expect(new SetAside(directory).has(record.sessionId)).toBe(true);
  expect(listSetAside(directory)).toEqual([record]);
});

test('one that is taken up again leaves nothing behind', () => {
  const aside = new SetAside(directory);
  aside.add(record);
  expect([aside.remove(record.sessionId), aside.remove(record.sessionId)]).toEqual([true, false]);
  expect(readdirSync(directory)).toEqual([]);
});

test('a damaged file is no session, and a missing directory holds none', () => {
  writeFileSync(join(directory, 'ses_half.json'), '{"sessionId":"ses_ha');
  expect(listSetAside(directory)).toEqual([]);
  expect(listSetAside(join(directory, 'nowhere'))).toEqual([]);
});

test('the doctor says how many there are, and nothing when there is none', () => {
  expect(checkSetAside(0, '/d', '/p')).toBeNull();
  expect(checkSetAside(1, '/d', '/p')).toMatchObject({ status: 'warning', check: 'events' });
  expect(checkSetAside(2, '/d', '/p')?.message).toContain('2 sessions');
  expect(checkSetAside(2, '/d', '/p')?.remedy).toContain('/d');
});
