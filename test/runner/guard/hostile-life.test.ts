import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { listLosses, releaseCheckout } from '../../../runner/guard/release.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { readCheckoutSecrets } from '../../../runner/guard/workspace.ts';
import { Witness } from '../../../runner/witness/witness.ts';
import { TURN } from '../../support/protocol-builders.ts';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';
import { rulesOf } from '../../support/policy-rules.ts';

let source: string;
let root: string;
let checkout: OwnCheckout;
let canary: string;
let witness: Witness;

beforeEach(async () => {
  source = aRepository();
  root = join(aDirectory(), 'checkouts');
  checkout = await ownCheckout(source, { root });
  canary = join(aDirectory(), 'ran');
  witness = new Witness({
    root: join(aDirectory(), 'witness'),
    env: process.env,
    log: () => undefined,
    rules: () => rulesOf(),
    now: Date.now,
  });
  await witness.begin(checkout);
});

/** A program that leaves a canary, whatever it is called as. */
function program(): string {
  const path = join(aDirectory(), 'program.sh');
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`);
  chmodSync(path, 0o755);
  return path;
}

const inGit = (...path: string[]): string => join(checkout.top, '.git', ...path);
const configure = (text: string): void => appendFileSync(inGit('config'), text);

/** All that happens to a checkout on our side once a session has worked in it. */
async function live(): Promise<{ refused: boolean }> {
  let refused = false;
  const settled = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch(() => (refused = true));
  };
  await settled(() => readCheckoutSecrets(checkout));
  await settled(() => bringBack(checkout, TURN));
  const until = Date.now();
  await settled(() => witness.look(checkout, { from: until - 1_000, until }));
  // Launched again, the same checkout is found.
  await settled(() => prepareCheckout(requestFor(source, { root })));
  await settled(() => listLosses(checkout));
  await settled(() => releaseCheckout(checkout, false));
  await settled(() => releaseCheckout(checkout, true));
  return { refused };
}

const SETTINGS: readonly [name: string, text: (run: string) => string][] = [
  ['core.fsmonitor', (run) => `[core]\n\tfsmonitor = ${run}\n`],
  ['core.sshCommand', (run) => `[core]\n\tsshCommand = ${run}\n`],
  ['core.alternateRefsCommand', (run) => `[core]\n\talternateRefsCommand = ${run}\n`],
  ['core.gitProxy', (run) => `[core]\n\tgitProxy = ${run}\n`],
  ['core.pager', (run) => `[core]\n\tpager = ${run}\n[pager]\n\tstatus = ${run}\n`],
  ['diff.external', (run) => `[diff]\n\texternal = ${run}\n`],
  ['gpg.program', (run) => `[gpg]\n\tprogram = ${run}\n[log]\n\tshowSignature = true\n`],
  ['credential.helper', (run) => `[credential]\n\thelper = ${run}\n`],
  ['uploadpack.packObjectsHook', (run) => `[uploadpack]\n\tpackObjectsHook = ${run}\n`],
  [
    'trailer and merge drivers',
    (run) => `[merge "evil"]\n\tdriver = ${run}\n[trailer "x"]\n\tcmd = ${run}\n`,
  ],
  ['an alias', (run) => `[alias]\n\tstatus = !${run}\n\tfor-each-ref = !${run}\n`],
  [
    'maintenance',
    (run) => `[gc]\n\tauto = 1\n\trecentObjectsHook = ${run}\n[maintenance]\n\tauto = true\n`,
  ],
  [
    'a submodule’s update',
    (run) =>
      `[submodule "x"]\n\tupdate = !${run}\n\turl = ../x\n\tactive = true\n[submodule]\n\trecurse = true\n`,
  ],
  [
    'a remote’s programs',
    (run) =>
      `[remote "origin"]\n\turl = ext::${run}\n\tuploadpack = ${run}\n\treceivepack = ${run}\n\tvcs = evil\n[protocol]\n\tallow = always\n`,
  ],
];

describe('what a session sets in its checkout is run nowhere outside in its whole life', () => {
  test(`by settings: ${SETTINGS.map(([name]) => name).join(', ')}`, async () => {
    const head = commitInCheckout(checkout, 'work', 'work');
    write(checkout.top, 'readme.md', 'touched\n');
    for (const [, text] of SETTINGS) configure(text(program()));
    // Had one of them been refused, what comes after it would not have been tried.
    expect(await live()).toEqual({ refused: false });
    expect(existsSync(canary)).toBe(false);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
  });

  test('by way of another file: include, includeIf and a working tree’s own', async () => {
    const evil = join(aDirectory(), 'evil');
    const run = program();
    writeFileSync(
      evil,
      `[core]\n\tfsmonitor = ${run}\n[filter "evil"]\n\tclean = ${run}\n\trequired = true\n`,
    );
    const head = commitInCheckout(checkout, 'work', 'work');
    write(checkout.top, 'readme.md', 'touched\n');
    mkdirSync(inGit('info'), { recursive: true });
    writeFileSync(inGit('info', 'attributes'), '* filter=evil\n');
    writeFileSync(inGit('config.worktree'), `[include]\n\tpath = ${evil}\n`);
    configure(
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ${evil}\n[includeIf "gitdir:/"]\n\tpath = ${evil}\n[includeIf "onbranch:**"]\n\tpath = ${evil}\n`,
    );
    await live();
    expect(existsSync(canary)).toBe(false);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
  });

  test('by .gitmodules and a nested repository', async () => {
    const run = program();
    const nested = join(checkout.top, 'x');
    mkdirSync(nested);
    gitIn(nested, 'init', '--quiet');
    gitIn(
      nested,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    );
    gitIn(checkout.top, 'add', 'x');
    commitInCheckout(
      checkout,
      '.gitmodules',
      `[submodule "x"]\n\tpath = x\n\turl = ../x\n\tupdate = !${run}\n`,
    );
    gitIn(nested, 'config', 'core.fsmonitor', run);
    write(nested, 'new', 'x');
    await live();
    expect(existsSync(canary)).toBe(false);
  });

  test('by textconv and filters of its attributes', async () => {
    const run = program();
    const head = commitInCheckout(
      checkout,
      '.gitattributes',
      '* diff=evil filter=evil merge=evil\n',
    );
    write(checkout.top, 'readme.md', 'touched\n');
    configure(
      `[diff "evil"]\n\ttextconv = ${run}\n\tcommand = ${run}\n[filter "evil"]\n\tclean = ${run}\n\tprocess = ${run}\n`,
    );
    await live();
    expect(existsSync(canary)).toBe(false);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
  });
});

describe('a git directory that a session exchanged is refused, and nothing of it is run', () => {
  /** A repository elsewhere whose every status would leave the canary. */
  function trapped(): string {
    const other = aRepository();
    commit(other, 'private', 'private');
    gitIn(other, 'config', 'core.fsmonitor', program());
    return join(other, '.git');
  }

  test.each([
    ['a link', (to: string) => symlinkSync(to, inGit())],
    ['a file', (to: string) => writeFileSync(inGit(), `gitdir: ${to}\n`)],
    ['nothing', () => undefined],
  ])('for %s', async (_name, put) => {
    renameSync(inGit(), join(checkout.top, 'old'));
    put(trapped());
    expect(await live()).toEqual({ refused: true });
    expect(existsSync(canary)).toBe(false);
    expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse')).toBe('');
  });
});

describe('history that a session rewrote for its own eyes', () => {
  test('by replacement and grafts is brought back as it is', async () => {
    const first = commitInCheckout(checkout, 'a', 'what is shown');
    const head = commitInCheckout(checkout, 'a', 'what it is');
    gitIn(checkout.top, 'replace', head, first);
    writeFileSync(inGit('info', 'grafts'), `${head}\n`);
    await bringBack(checkout, TURN);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
    expect(gitIn(source, 'show', `${checkout.branch}:a`)).toBe('what it is');
    expect(gitIn(source, 'rev-list', '--count', checkout.branch)).toBe('3');
    expect(gitIn(source, 'for-each-ref', 'refs/replace')).toBe('');
    expect(existsSync(join(source, '.git', 'info', 'grafts'))).toBe(false);
  });
});
