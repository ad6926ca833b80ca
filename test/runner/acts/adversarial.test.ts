import { describe, expect, test } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { actsOf } from './expect-acts.ts';

test('a line that stands for more text than there is memory is read to its end', () => {
  const doubled = `a=${'x'.repeat(64)}; ${'a=$a$a; '.repeat(40)}`;
  expect(() => classifyCommand(`${doubled}echo "$a$a"; git push origin main`)).not.toThrow();
  expect(classifyCommand(`${doubled}git push origin main`).map(({ kind }) => kind)).toEqual([
    'push',
  ]);
});

/** Ways to write a push that a reader of plain text would miss. */
const HIDDEN: readonly (readonly [line: string, ...acts: string[]])[] = [
  ['env -S "git push origin main"', 'push origin main'],
  ["sudo bash -lc 'cd /r && git push'", 'push'],
  ['nohup timeout 60 nice -n 5 git push', 'push'],
  ['bash -o pipefail -c "git push"', 'push'],
  ['busybox sh -c "git push"', 'push'],
  ["script -c 'git push' /dev/null", 'push'],
  ["flock /l -c 'git push'", 'push'],
  ['watch git push', 'push'],
  ['fd -x git push', 'push?'],
  ['parallel git push ::: a b', 'push? ::: a b …'],
  ['poetry run git push', 'push'],
  ['uv run git push', 'push'],
  ['bundle exec cap production deploy', 'deploy? production'],
  ['npm exec -- wrangler deploy', 'deploy'],
  ['pnpm dlx wrangler@latest deploy', 'deploy'],
  ['bunx npm publish', 'publish'],
  ['npx -c "git push"', 'push'],
  ['direnv exec . git push', 'push'],
  ['cross-env A=1 git push', 'push'],
  ['doppler run -- git push', 'push'],
  ['gtimeout 5 git push', 'push'],
  ['taskset -c 0 git push', 'push'],
  ['/usr/bin/time -f %e git push', 'push'],
  ['taskset 0x1 git push', 'push'],
  ['chrt -r 10 git push', 'push'],
  ['A=git B=push; $A $B origin', 'push origin'],
  ['A=git; A+=" push"; $A', 'push'],
  ['set -- push origin; git "$@"'],
  ['f() { git "$1" origin; }; f push', 'push origin'],
  ['f() { g; }; g() { git push; }; f', 'push'],
  ['alias g=git; alias p="g push"; p', 'push'],
  ['unalias g; alias g="git push"; g', 'push'],
  ['if true; then :; elif x; then git push; fi', 'push'],
  ['until false; do git push; done', 'push'],
  ['select x in a; do git push; done', 'push'],
  ['for ((i=0;i<1;i++)); do git push; done', 'push'],
  ['{ { git push; }; }', 'push'],
  ['git push >/dev/null 2>&1 &', 'push'],
  ['git \\\n  push \\\n  origin', 'push origin'],
  ['git push origin $(git branch --show-current)', 'push? origin $(git branch --show-current)'],
  ['cat x | while read b; do git push origin $b; done', 'push? origin $b'],
  ['trap "git push" INT TERM', 'push'],
  ['bash -c "$(echo git push)"'],
];

describe('a consequential command', () => {
  test.each(HIDDEN)('hidden as %s', (line, ...acts) => {
    expect(actsOf(line)).toEqual(acts);
  });
});

describe('the record of an act', () => {
  test('shows the command without what was wrapped around it', () => {
    const [act] = classifyCommand("sudo -u deploy env A=1 git push 'my remote' main");
    expect(act?.command).toBe("git push 'my remote' main");
  });

  test('shows a program by its name, not by its path', () => {
    expect(classifyCommand('/usr/local/bin/git push').map(({ command }) => command)).toEqual([
      'git push',
    ]);
  });

  test('says uncertain for a whole line that does not parse', () => {
    expect(classifyCommand('git push && (').every(({ uncertain }) => uncertain)).toBe(true);
  });

  test('has no target that is an empty word', () => {
    for (const line of ['git push ""', 'git push "" ""', "gh pr merge ''"])
      for (const { target } of classifyCommand(line)) expect(target).not.toBe('');
  });
});

describe('a definition', () => {
  test('in a subshell is not there after it', () => {
    expect(actsOf('(alias x="git push"); x')).toEqual([]);
    expect(actsOf('(f() { git push; }); f')).toEqual([]);
  });

  test('that is made anew means the newer thing', () => {
    expect(actsOf('f() { git push; }; f() { ls; }; f')).toEqual([]);
  });

  test('of an alias by itself ends', () => {
    expect(actsOf('alias git="git -c a=b"; git push')).toEqual(['push']);
  });
});
