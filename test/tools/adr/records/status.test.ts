import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adrSaidStatus } from '../../../../protocol/adr-report.ts';
import {
  decideTransition,
  formatId,
  parseRecordIds,
  parseStatus,
} from '../../../../tools/adr/records/status.ts';

describe('a status', () => {
  it.each([
    ['accepted', 'accepted'],
    ['Accepted', 'accepted'],
    ['**Proposed**', 'proposed'],
    ['Accepted (2026-01-02)', 'accepted'],
    ['deprecated', 'deprecated'],
    ['rejected', 'rejected'],
    ['superseded', 'superseded'],
    ['Superceded by [3. New](0003-new.md)', 'superseded'],
  ])('is read from %s', (text, status) => {
    expect(parseStatus(text)?.status).toBe(status);
  });

  it('names the record that took its place', () => {
    expect(parseStatus('superseded by ADR-0005')).toEqual({
      status: 'superseded',
      supersedes: [],
      supersededBy: ['0005'],
    });
  });

  it('in several lines says both what it is and what it replaced', () => {
    expect(parseStatus('Accepted\n\nSupersedes [2. Old](0002-old.md)')).toEqual({
      status: 'accepted',
      supersedes: ['0002'],
      supersededBy: [],
    });
  });

  it('that nobody knows is none', () => {
    expect(parseStatus('')).toBeNull();
    expect(parseStatus('decided')).toBeNull();
  });
});

describe('numbers of records', () => {
  it('are read from links, not from the titles in them', () => {
    expect(parseRecordIds('[7. Use 3 replicas](0007-use-3-replicas.md)')).toEqual(['0007']);
  });

  it('are read in every way of writing them', () => {
    expect(parseRecordIds('ADR-0002, adr 3, 4')).toEqual(['0002', '0003', '0004']);
  });

  it('survive being written and read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), (number) => {
        expect(parseRecordIds(`ADR-${formatId(number)}`)).toEqual([formatId(number)]);
      }),
    );
  });
});

describe('the life of a record', () => {
  it('goes only forward: no way leads back to where it was', () => {
    const statuses = fc.constantFrom(...adrSaidStatus.options);
    const holds = fc.check(
      fc.property(fc.array(statuses, { minLength: 2, maxLength: 8 }), (path) => {
        const legal = path.every((to, index) => {
          const from = path[index - 1];
          return from === undefined || decideTransition(from, to);
        });
        const changes = path.filter((status, index) => status !== path[index - 1]);
        return !legal || new Set(changes).size === changes.length;
      }),
    );
    expect(holds.counterexample).toBeNull();
  });

  it('never takes back an acceptance', () => {
    expect(decideTransition('accepted', 'proposed')).toBe(false);
    expect(decideTransition('accepted', 'rejected')).toBe(false);
    expect(decideTransition('superseded', 'accepted')).toBe(false);
  });
});
