import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import {
  broughtBack,
  checkoutPrepared,
  started,
  turnEnded,
  usageRecorded,
  working,
} from '../support/feed-events.ts';
import { aUsage, OTHER_TURN, TURN } from '../support/protocol-builders.ts';
import { reportOf, wholeRun, witnessed } from '../support/run-builders.ts';

const gapsOf = (...events: FeedEvent[]) => reportOf([...working(), ...events]).gaps;
const used = (over: Partial<UsageEntry>) => usageRecorded(TURN, [aUsage(over)]);
const ended = (acts: 'recorded' | 'none' | 'unobservable' | 'unsettled') =>
  turnEnded(TURN, { acts });

describe('what a run’s record cannot tell', () => {
  it('is nothing where all of it was told', () => {
    expect(reportOf(wholeRun()).gaps).toEqual([]);
    expect(gapsOf(ended('none'))).toEqual([]);
  });

  it('is what an engine that tells no acts did, seen or not', () => {
    const unseen = 'A deploy or a release moves none, and would not be seen.';
    expect(gapsOf(ended('unobservable'), witnessed())).toEqual([
      `1 turn tells no acts: they are witnessed only, by the refs that moved. ${unseen}`,
    ]);
    expect(gapsOf(ended('unobservable'))).toContain(
      'What 1 turn did is not known: neither told nor witnessed.',
    );
  });

  it('counts turns, and speaks of several as of several', () => {
    const two = gapsOf(
      ended('unsettled'),
      started(OTHER_TURN),
      turnEnded(OTHER_TURN, { acts: 'unsettled' }),
    );
    expect(two).toEqual(['What 2 turns did is not known: neither told nor witnessed.']);
  });

  it('says of a turn under way that nothing of it is missing yet', () => {
    expect(gapsOf()).toEqual([]);
  });

  it.each<[string, Partial<UsageEntry>, string[]]>([
    [
      'unmetered',
      { provenance: 'unmetered', microUsd: null },
      ['Part of what it cost cannot be known: it is unmetered.'],
    ],
    [
      'unsettled',
      { provenance: 'unsettled' },
      ['A turn ended without a final figure: what it cost is unsettled.'],
    ],
    ['without a price', { microUsd: null }, ['1 figure has no known price.']],
    ['a rehearsal’s', { provenance: 'rehearsal', microUsd: null }, []],
    ['a subscription’s', { payer: 'subscription' }, []],
  ])('names what a figure that is %s leaves open', (_, usage, gaps) => {
    expect(gapsOf(used(usage), ended('none'))).toEqual(gaps);
  });

  it('names a place whose refs were not compared once, however often', () => {
    const skipped = { skipped: 'it did not answer' };
    expect(
      gapsOf(
        ended('none'),
        witnessed(TURN, skipped),
        started(OTHER_TURN),
        turnEnded(OTHER_TURN),
        witnessed(OTHER_TURN, skipped),
      ),
    ).toEqual(['Refs that were not compared: origin: it did not answer']);
  });

  it('blames nobody for refs that others moved', () => {
    expect(gapsOf(ended('none'), witnessed(TURN, { others: 1 }))).toEqual([
      '1 ref moved meanwhile, author unknown: nobody is blamed.',
    ]);
  });

  it('names files that no commit holds', () => {
    const gaps = gapsOf(checkoutPrepared(), ended('none'), broughtBack({ uncommittedFiles: 3 }));
    expect(gaps).toEqual(['3 changed files are in no commit.']);
  });
});
