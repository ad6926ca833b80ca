import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { holding } from './files.ts';

const SECRET = 's3cret-s3cret';
const shownOf = (line: string, text: string) =>
  classifyCommand(line, () => holding(text)).map(({ command, target }) => ({ command, target }));

describe('what a file keeps is shown to nobody', () => {
  it.each([
    ['a variable of a script', 'sh s', `T=${SECRET}; git push "https://x/$T" main`],
    ['an exported one', 'sh s', `export T=${SECRET}\ngit push "https://x/$T" main`],
    ['one that a function is given', 'sh s', `T=${SECRET}; f() { git push "$1" main; }; f "$T"`],
    ['one in a line for a shell', 'sh s', `T=${SECRET}; eval "git push https://x/$T main"`],
    ['a short one by its name', 'sh s', `PASSWORD=s3cret; git push https://x/$PASSWORD main`],
    ['one of a Makefile', 'make go', `T := ${SECRET}\ngo:\n\tgit push https://x/$(T) main\n`],
    [
      'a name of a program',
      'python3 s',
      `import subprocess\nt = "${SECRET}"\nsubprocess.run(["git", "push", f"https://x/{t}", "main"])`,
    ],
    ['who one is in an address', 'sh s', `git push https://me:${SECRET}@x/y main`],
    [
      'a header',
      'sh s',
      `curl -X PUT -H 'Authorization: Bearer ${SECRET}' https://api.github.com/repos/a/b/pulls/4/merge`,
    ],
    [
      'another header',
      'sh s',
      `curl -X PUT -H 'PRIVATE-TOKEN: ${SECRET}' https://api.github.com/repos/a/b/pulls/4/merge`,
    ],
    [
      'a login',
      'sh s',
      `curl -X PUT -u me:${SECRET} https://api.github.com/repos/a/b/pulls/4/merge`,
    ],
    ['an option', 'sh s', `npm publish --token ${SECRET}`],
    ['an option in one', 'sh s', `npm publish --//registry/:_authToken=${SECRET}`],
    ['the target', 'sh s', `git push 'https://x/?auth_token=${SECRET}' main`],
  ])('%s', (_, line, text) => {
    const shown = shownOf(line, text);
    expect(shown).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toContain('s3cret');
  });

  it('and the rest of the command is', () => {
    expect(shownOf('sh s', `T=${SECRET}; B=main; git push https://me:$T@x/$T $B`)).toEqual([
      { command: "git push 'https://…@x/$T' main", target: 'https://…@x/$T main' },
    ]);
  });

  it('which is no matter where the line itself says it', () => {
    expect(shownOf('B=release-9; git push origin $B', '')).toEqual([
      { command: 'git push origin release-9', target: 'origin release-9' },
    ]);
  });

  it('and is judged all the same', () => {
    const [act] = classifyCommand('sh s', () => holding('B=release-9; git push origin $B'));
    expect([act?.command, act?.push?.refs]).toEqual(['git push origin $B', ['release-9']]);
  });
});
