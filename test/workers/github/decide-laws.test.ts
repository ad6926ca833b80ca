import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASSOCIATIONS, type Association } from '../../../protocol/github.ts';
import { type ChannelRule, commandIn, decideGithub } from '../../../workers/github/decide.ts';
import type { GithubEvent } from '../../../workers/github/event.ts';
import { markOf } from '../../../workers/github/marks.ts';

const rank = fc.constantFrom(...ASSOCIATIONS);
const label = fc.constantFrom('bug', 'BUG', 'Pilothouse', 'pilothouse', 'other');
const repository = fc.constantFrom('octo/site', 'Octo/Site', 'octo/other');
const issue = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  title: fc.string(),
  body: fc.string(),
  open: fc.boolean(),
  author: fc.constant('octo'),
  association: rank,
  labels: fc.array(label, { maxLength: 3 }),
});
const body = fc.oneof(
  fc.constantFrom('/pilothouse', '/pilothouse go', '  /pilothouse\n go on', '/pilothouses go'),
  fc.constantFrom('please /pilothouse go', `/pilothouse ${markOf('ses_1 trn_1 over')}`, ''),
  fc.string(),
);
const labeled = fc.record({
  kind: fc.constant('labeled' as const),
  repository,
  label,
  byBot: fc.boolean(),
  issue,
  at: fc.nat(),
});
const commented = fc.record({
  kind: fc.constant('commented' as const),
  repository,
  comment: fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    body,
    author: fc.constant('octo'),
    bot: fc.boolean(),
    association: rank,
    edited: fc.boolean(),
  }),
  issue,
  at: fc.nat(),
});
const rule: fc.Arbitrary<ChannelRule> = fc.record({
  repository: fc.constantFrom('octo/site', 'OCTO/SITE'),
  label: fc.constantFrom('bug', 'Pilothouse'),
  associations: fc.uniqueArray(rank, { minLength: 1, maxLength: 4 }),
});
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** What must hold of an event that does anything at all, said once more in another way. */
function mayAct(event: GithubEvent, { repository: mine, label: name, associations }: ChannelRule) {
  if (event.kind === 'other') return false;
  const ranks: readonly Association[] = associations;
  const { issue: about } = event;
  if (!same(event.repository, mine) || !about.open) return false;
  if (event.kind === 'labeled')
    return same(event.label, name) && !event.byBot && ranks.includes(about.association);
  const { comment } = event;
  const said = comment.body.trimStart().split(/\s+/);
  return (
    said[0] === '/pilothouse' &&
    said.slice(1).join('') !== '' &&
    !comment.body.includes('<!-- pilothouse') &&
    !comment.bot &&
    !comment.edited &&
    ranks.includes(comment.association) &&
    about.labels.some((each) => same(each, name))
  );
}

describe('whatever GitHub tells', () => {
  it('does something exactly where every condition holds', () => {
    const seen = { start: 0, steer: 0, ignore: 0 };
    fc.assert(
      fc.property(fc.oneof(labeled, commented), rule, (event, by) => {
        const wanted = decideGithub(event, by, false);
        seen[wanted.do] += 1;
        expect(wanted.do !== 'ignore').toBe(mayAct(event, by));
        if (wanted.do === 'start') expect(wanted.source).toBe(`issue:${event.issue.number}`);
        if (wanted.do === 'steer') expect(event.kind).toBe('commented');
      }),
      // The fewest that act are one of hundreds: a run that saw none of them would prove nothing.
      { numRuns: 6_000, seed: 7 },
    );
    expect(Math.min(seen.start, seen.steer, seen.ignore)).toBeGreaterThan(3);
  });

  it('does nothing where it is a comment that we wrote', () => {
    fc.assert(
      fc.property(commented, rule, (event, by) => {
        expect(decideGithub(event, by, true).do).toBe('ignore');
      }),
    );
  });

  it('is the same whoever else’s words stand in the issue', () => {
    fc.assert(
      fc.property(labeled, rule, fc.string(), fc.string(), (event, by, title, text) => {
        const other = { ...event, issue: { ...event.issue, title, body: text } };
        expect(decideGithub(other, by, false).do).toBe(decideGithub(event, by, false).do);
      }),
    );
  });

  it('is ignored with the reason in words', () => {
    fc.assert(
      fc.property(fc.oneof(labeled, commented), rule, (event, by) => {
        const wanted = decideGithub(event, by, false);
        expect(wanted.do === 'ignore' ? wanted.reason : 'It is taken.').toMatch(/^[A-Z].+\.$/s);
      }),
    );
  });
});

describe('the command at the beginning of a comment', () => {
  it.each([
    ['/pilothouse', true],
    ['/pilothouse go', true],
    ['\n\t /pilothouse go', true],
    ['/pilothouse\ngo', true],
    ['/pilothouses go', false],
    ['/pilothouse: go', false],
    ['> /pilothouse go', false],
    ['go /pilothouse', false],
    ['/Pilothouse go', false],
    ['', false],
  ])('%j: %s', (text, is) => {
    expect(commandIn(text)).toBe(is);
  });

  it('hands on what stands behind it, over lines, without the space around it', () => {
    const comment = {
      id: 3,
      body: '/pilothouse  add a test\n\n- and docs \n',
      author: 'octo',
      bot: false,
      association: 'OWNER' as const,
      edited: false,
    };
    const about = {
      number: 4,
      title: 'T',
      body: '',
      open: true,
      author: 'octo',
      association: 'NONE' as const,
      labels: ['bug'],
    };
    const event = { kind: 'commented' as const, repository: 'o/s', comment, issue: about, at: 1 };
    const by: ChannelRule = { repository: 'o/s', label: 'bug', associations: ['OWNER'] };
    expect(decideGithub(event, by, false)).toMatchObject({
      do: 'steer',
      source: 'comment:3',
      words: { author: 'octo', text: 'add a test\n\n- and docs' },
    });
  });
});
