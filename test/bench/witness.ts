import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionId } from '../../protocol/ids.ts';
import { Witness } from '../../runner/witness/witness.ts';
import { rulesOf } from '../support/policy-rules.ts';

/**
 * What comparing refs costs a turn: a repository and a remote with many refs each, nothing moved.
 * Prints milliseconds. `node test/bench/witness.ts [refs] [rounds]`
 */
const [refs = 10_000, rounds = 11] = process.argv.slice(2).map(Number);
const root = mkdtempSync(join(tmpdir(), 'witness-bench-'));
const git = (directory: string, args: readonly string[], input = '') =>
  execFileSync('git', args, { cwd: directory, input, encoding: 'utf8' }).trim();

try {
  const repository = join(root, 'work');
  const remote = join(root, 'remote.git');
  git(root, ['init', '--quiet', '--initial-branch=main', repository]);
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  git(repository, [...identity, 'commit', '--quiet', '--allow-empty', '-m', 'one']);
  const head = git(repository, ['rev-parse', 'HEAD']);
  const names = Array.from({ length: refs }, (_, index) => `create refs/tags/t${index} ${head}\n`);
  git(repository, ['update-ref', '--stdin'], names.join(''));
  git(repository, ['pack-refs', '--all']);
  git(root, ['clone', '--quiet', '--mirror', repository, remote]);
  git(repository, ['remote', 'add', 'origin', remote]);
  const witness = new Witness({
    root: join(root, 'witness'),
    env: process.env,
    log: () => undefined,
    rules: () => rulesOf(),
    now: Date.now,
  });
  const id = sessionId.parse('ses_bench');
  const checkout = {
    mode: 'inPlace',
    sessionId: id,
    directory: repository,
    branch: 'main',
    baseCommit: head,
  } as const;
  await witness.begin(checkout);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const seen = await witness.look(checkout, { from: 0, until: Date.now() });
    seen?.keep();
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  process.stdout.write(
    `${refs} refs in a repository and in a remote: ${at(0.5)} ms (p95 ${at(0.95)} ms)\n`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
