import { describe, expect, it } from 'vitest';
import { planReading } from '../../../../tools/adr/modules/reads.ts';

const query = (text: string) => ({ text });

describe('the plan of what is read', () => {
  it('names each file once, with all that several rules ask of it', () => {
    const first = { edges: ['a.ts', 'b.ts'], searches: [] };
    const second = {
      edges: ['b.ts'],
      searches: [{ paths: ['b.ts', 'c.ts'], query: query('one') }],
    };
    const third = { edges: [], searches: [{ paths: ['c.ts'], query: query('two') }] };
    expect(planReading([first, second, third])).toEqual({
      files: [
        { path: 'a.ts', edges: true, queries: [] },
        { path: 'b.ts', edges: true, queries: [0] },
        { path: 'c.ts', edges: false, queries: [0, 1] },
      ],
      queries: [query('one'), query('two')],
    });
  });

  it('is empty where nothing is asked', () => {
    expect(planReading([])).toEqual({ files: [], queries: [] });
  });
});
