import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn } from '../guard/repositories.ts';
import { WitnessRoom } from './witness-room.ts';

/** A forge’s command line: with a token, it merges a branch of the remote into its main branch. */
const GH = `#!/bin/sh
[ "$GH_TOKEN" = shared ] || { echo "not logged in" >&2; exit 4; }
cd "$REMOTE" && tree=$(git rev-parse "$3^{tree}") &&
as="-c user.name=forge -c user.email=forge@example.com" &&
git $as update-ref refs/heads/main "$(git $as commit-tree -p main -p "$3" -m "Merge $3" "$tree")"
`;

const MERGE = `gh pr merge feature`;
const SCRIPTS: readonly [name: string, files: Record<string, string>, line: string][] = [
  ['a script', { 'ship.sh': MERGE }, 'sh ship.sh'],
  ['a script of the same line', {}, `echo '${MERGE}' > ship.sh; sh ship.sh`],
  [
    'a task of a package',
    { 'package.json': JSON.stringify({ scripts: { ship: MERGE } }) },
    'npm run -s ship',
  ],
  ['a Makefile', { Makefile: `ship:\n\t@${MERGE}\n` }, 'make ship'],
  [
    'python',
    {},
    `python3 -c "import subprocess; subprocess.run(['gh', 'pr', 'merge', 'feature'], check=True)"`,
  ],
  [
    'node',
    { 'ship.mjs': `import { execSync } from 'child_process'; execSync('${MERGE}');` },
    'node ship.mjs',
  ],
];

async function aRoom(files: Readonly<Record<string, string>>) {
  const room = await WitnessRoom.make();
  const bin = join(room.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gh'), GH, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(room.directory, name), text);
  room.run(
    'echo x > work.md; git add work.md; git commit -qm work; git push -q origin HEAD:feature',
  );
  const env = { PATH: `${bin}:${process.env['PATH']}`, GH_TOKEN: 'shared' };
  return { room, run: (line: string) => room.run(line, env) };
}

describe('a merge by a forge with a token that is not the session’s own', () => {
  it.each(SCRIPTS)('through %s is the session’s, and a breach (S1)', async (_name, files, line) => {
    const { room, run } = await aRoom(files);
    const ran = run(line);
    expect(ran).toMatchObject({ exitCode: 0 });
    const [claim] = room.claim(line, 'proven');
    expect(claim).toMatchObject({
      kind: 'merge',
      command: MERGE,
      outcome: 'done',
      toolId: 'tool-1',
    });
    const told = await room.endTurn(room.claim(line, 'proven'));
    expect(told.others).toEqual([]);
    expect(told.breaches).toMatchObject([
      { kind: 'merge', seenBy: 'git', command: MERGE, move: { ref: 'refs/heads/main' } },
    ]);
  });

  it('that no words show is listed all the same, and so is a colleague’s: nobody is blamed (S1)', async () => {
    const { room, run } = await aRoom({ 'ship.pl': `exec "gh", "pr", "merge", "feature";` });
    const clone = room.colleague();
    gitIn(clone, 'push', '--quiet', 'origin', 'HEAD:theirs');
    expect(run('perl ship.pl')).toMatchObject({ exitCode: 0 });
    const told = await room.endTurn(room.claim('perl ship.pl', 'proven'));
    expect(told.others.toSorted()).toEqual(['origin refs/heads/main', 'origin refs/heads/theirs']);
    expect(told.breaches).toEqual([]);
  });
});
