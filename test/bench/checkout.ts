/**
 * `npm run bench:checkout`: how long a session's own checkout of a large repository takes: its
 * objects are borrowed, its files are written. `--mib 2048` of incompressible files.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sessionId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { measureBytes } from '../../runner/guard/measure.ts';
import { prepareCheckout } from '../../runner/guard/workspace.ts';
import { readLimits } from '../../runner/limits.ts';

const ROUNDS = 3;
const MIB = 1024 ** 2;
/** Files of one commit, and how many commits the history is long. */
const FILES_MIB = 256;

const { values } = parseArgs({ options: { mib: { type: 'string', default: '2048' } } });
const mib = Number(values.mib);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-bench-checkout-')));
const repository = join(home, 'project');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

/** A history of which each commit replaces all files: most of the objects are of the past. */
function makeRepository(): void {
  mkdirSync(repository, { recursive: true });
  git('init', '--quiet');
  git('config', 'core.compression', '0');
  for (let commit = 0; commit * FILES_MIB < mib; commit++) {
    for (let file = 0; file < FILES_MIB * 4; file++) {
      const folder = join(repository, `folder-${file % 32}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `file-${file}`), randomBytes(MIB / 4));
    }
    git('add', '--all');
    git('commit', '--quiet', '-m', `Commit ${commit}`);
  }
}

async function measure(): Promise<void> {
  makeRepository();
  const objects = await measureBytes(join(repository, '.git'));
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const root = join(home, `checkouts-${round}`);
    const from = performance.now();
    await prepareCheckout({
      sessionId: sessionId.parse(`ses_bench${round}`),
      title: 'Bench',
      launch: launchSpec.parse({ engineId: 'rehearsal', directory: repository, objective: 'x' }),
      root,
      limits: readLimits(null, home),
    });
    took.push(performance.now() - from);
    rmSync(root, { recursive: true });
  }
  const size =
    objects === null
      ? 'of a size not measured in time'
      : `${(objects / MIB).toFixed(0)} MiB of objects`;
  console.log(
    `${size}, ${FILES_MIB} MiB in ${FILES_MIB * 4} files checked out: ${took.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}.`,
  );
}

try {
  await measure();
} finally {
  rmSync(home, { recursive: true, force: true });
}
