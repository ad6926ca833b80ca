import { describe, expect, it } from 'vitest';
import { chosenOf, listOffers } from '../../../console/compare/chosen.ts';

const session = (sessionId: string, title: string) => ({ sessionId, title });

describe('the runs that an address names', () => {
  it('are each named once, and no more than can be compared', () => {
    expect(chosenOf(undefined)).toEqual([]);
    expect(chosenOf('a,b,,a')).toEqual(['a', 'b']);
    expect(chosenOf('a,b,c,d,e,f,g,h,i')).toHaveLength(8);
  });

  it('leave the others to choose from, those on the same objective first', () => {
    const all = [session('a', 'One'), session('b', 'Two'), session('c', 'One')];
    expect(listOffers(all, ['a']).map(({ sessionId }) => sessionId)).toEqual(['c', 'b']);
    expect(listOffers(all, [])).toEqual(all);
  });
});
