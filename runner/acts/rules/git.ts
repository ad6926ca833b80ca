import { TRUNKS } from '../../../protocol/policy-globs.ts';
import { has, type ParsedOptions, parseOptions } from '../arguments.ts';
import { ownEntry } from '../own.ts';
import { type Argument, certain, type Finding, NOTHING, type Rule } from '../types.ts';

const GLOBAL_VALUED = [
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
  '--super-prefix',
];

/** Reads `git` and programs that take its arguments. */
export const git: Rule = (args, surroundings) => {
  const { subcommand, rest, aliases } = afterGlobals(args);
  const alias = aliases.get(subcommand);
  if (alias !== undefined) {
    if (alias.startsWith('!')) return NOTHING;
    return git([...alias.split(/\s+/).map(certain), ...rest], surroundings).map((finding) => ({
      ...finding,
      uncertain: true,
    }));
  }
  return ownEntry(SUBCOMMANDS, subcommand)?.(rest, surroundings) ?? NOTHING;
};

type Invocation = { subcommand: string; rest: readonly Argument[]; aliases: Map<string, string> };

function afterGlobals(args: readonly Argument[]): Invocation {
  const aliases = new Map<string, string>();
  let index = 0;
  for (; index < args.length && args[index]?.text.startsWith('-'); index++) {
    const text = args[index]?.text ?? '';
    if (!GLOBAL_VALUED.includes(text)) continue;
    index += 1;
    const setting = /^alias\.([^=]+)=(.*)$/s.exec(args[index]?.text ?? '');
    if (text === '-c' && setting) aliases.set(setting[1] ?? '', setting[2] ?? '');
  }
  return { subcommand: args[index]?.text ?? '', rest: args.slice(index + 1), aliases };
}

const push: Rule = (args) => {
  const options = parseOptions(args, ['--repo', '-o', '--push-option', '--receive-pack', '--exec']);
  if (has(options, '-n', '--dry-run', '-h', '--help')) return NOTHING;
  const [remote, ...refspecs] = options.operands.map(({ text }) => text);
  const named = remote || options.values.get('--repo') || null;
  const force = has(
    options,
    '-f',
    '--force',
    '--force-with-lease',
    '--force-if-includes',
    '--mirror',
  );
  const plain = force ? 'force_push' : 'push';
  const byKind = new Map<Finding['kind'], string[]>();
  const add = (kind: Finding['kind'], ref: string) =>
    byKind.set(kind, [...(byKind.get(kind) ?? []), ref]);
  for (const [index, refspec] of refspecs.entries()) {
    if (refspec === 'tag' && refspecs[index + 1]) continue;
    add(...readRefspec(refspec, refspecs[index - 1] === 'tag', options, plain));
  }
  if (has(options, '--tags')) add('tag', '--tags');
  if (byKind.size === 0) return [{ kind: plain, target: named, push: { remote: named, refs: [] } }];
  return [...byKind].map(([kind, refs]) => ({
    kind,
    target: [named, ...refs].filter(Boolean).join(' '),
    push: { remote: named, refs },
  }));
};

function readRefspec(
  refspec: string,
  tagged: boolean,
  options: ParsedOptions,
  plain: Finding['kind'],
): [Finding['kind'], string] {
  const forced = refspec.startsWith('+');
  const [source = '', target = source] = refspec.replace(/^\+/, '').split(':');
  const branch = target.replace(/^refs\/heads\//, '');
  if (has(options, '-d', '--delete') || (source === '' && target !== '')) return ['delete', branch];
  if (tagged || target.startsWith('refs/tags/'))
    return [forced || plain === 'force_push' ? 'force_push' : 'tag', target];
  if (forced || plain === 'force_push') return ['force_push', branch];
  // Onto a trunk from something of another name: what a merge does, without asking the forge.
  if (source.replace(/^refs\/heads\//, '') !== branch && TRUNKS.has(branch))
    return ['merge', branch];
  return ['push', branch];
}

const merge: Rule = (args) => {
  const options = parseOptions(args, [
    '-m',
    '-F',
    '--file',
    '-s',
    '--strategy',
    '-X',
    '--strategy-option',
    '--into-name',
    '--cleanup',
    '--message',
  ]);
  if (has(options, '--abort', '--quit', '-h', '--help')) return NOTHING;
  return [{ kind: 'merge', target: options.operands.map(({ text }) => text).join(' ') || null }];
};

const tag: Rule = (args) => {
  const options = parseOptions(args, [
    '-m',
    '-F',
    '-u',
    '--message',
    '--file',
    '--local-user',
    '--sort',
    '--format',
    '--contains',
    '--points-at',
    '--cleanup',
    '-n',
  ]);
  if (
    has(
      options,
      '-l',
      '--list',
      '-v',
      '--verify',
      '--contains',
      '--points-at',
      '--merged',
      '--no-merged',
      '-h',
      '--help',
    )
  )
    return NOTHING;
  const [name] = options.operands;
  if (!name) return NOTHING;
  const names = options.operands.map(({ text }) => text).join(' ');
  return has(options, '-d', '--delete')
    ? [{ kind: 'delete', target: names }]
    : [{ kind: 'tag', target: name.text }];
};

const branch: Rule = (args) => {
  const options = parseOptions(args);
  if (!has(options, '-d', '-D', '--delete')) return NOTHING;
  return [{ kind: 'delete', target: options.operands.map(({ text }) => text).join(' ') || null }];
};

const updateRef: Rule = (args) => {
  const options = parseOptions(args, ['-m']);
  return has(options, '-d')
    ? [{ kind: 'delete', target: options.operands[0]?.text ?? null }]
    : NOTHING;
};

/** Plumbing and extensions that send objects to a remote. */
const otherPush =
  (word: string | null): Rule =>
  (args) => {
    const { operands } = parseOptions(args, [
      '--prefix',
      '-P',
      '--remote',
      '--exec',
      '--receive-pack',
    ]);
    const [first, ...rest] = operands.map(({ text }) => text);
    if (word !== null && first !== word) return NOTHING;
    const target = (word === null ? [first, ...rest] : rest).filter(Boolean).join(' ');
    return [{ kind: 'push', target: target || null }];
  };

const SUBCOMMANDS: Readonly<Record<string, Rule | undefined>> = {
  push,
  merge,
  tag,
  branch,
  'update-ref': updateRef,
  'send-pack': otherPush(null),
  'http-push': otherPush(null),
  subtree: otherPush('push'),
  lfs: otherPush('push'),
  svn: otherPush('dcommit'),
};
