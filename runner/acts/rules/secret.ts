import picomatch from 'picomatch';
import { CREDENTIAL_FILES } from '../../../protocol/policy-defaults.ts';
import { has, parseOptions, words } from '../arguments.ts';
import { type Finding, NOTHING, type Rule } from '../types.ts';
import { verbs } from './verbs.ts';

const isCredential = picomatch([...CREDENTIAL_FILES], { dot: true });

/** Whether a path as a command writes it is a file of credentials by the policy's own list. */
function isSecretPath(path: string): boolean {
  const plain = path
    .replace(/^(\$HOME|\$\{HOME\})(?=\/)/, '~')
    .replace(/^\/(home|Users)\/[^/]+(?=\/)/, '~')
    .replace(/^\/root(?=\/)/, '~')
    .replace(/^(\.\/)+/, '');
  return (
    !plain.endsWith('.pub') && !/known_hosts|authorized_keys/.test(plain) && isCredential(plain)
  );
}

const read = (paths: readonly string[]): readonly Finding[] => {
  const secret = paths.filter(isSecretPath);
  return secret.length > 0 ? [{ kind: 'secret_read', target: secret.join(' ') }] : NOTHING;
};

/** A program that shows the files it is given. */
const reader =
  (valued: readonly string[] = []): Rule =>
  (args, { reads }) =>
    read([...words(parseOptions(args, valued)), ...(reads ? [reads.text] : [])]);

/** Code on the command line that names a file of credentials most likely reads it. */
const interpreter =
  (...names: readonly string[]): Rule =>
  (args) => {
    const code = args.find((_, index) => names.includes(args[index - 1]?.text ?? ''))?.text ?? '';
    const quoted = [...code.matchAll(/["'`]([^"'`\s]+)["'`]/g)].map(([, path = '']) => path);
    return read(quoted).map((finding) => ({ ...finding, uncertain: true }));
  };

/** A program whose first operand is what it looks for, unless an option says it. */
const searcher: Rule = (args, { reads }) => {
  const options = parseOptions(args, ['-e', '-f', '-m', '-A', '-B', '-C', '-g', '--include', '-F']);
  const given = words(options);
  const paths = has(options, '-e', '-f', '--regexp', '--file') ? given : given.slice(1);
  return read(reads ? [...paths, reads.text] : paths);
};

/** A program that copies: what it reads is all but the last. */
const copier: Rule = (args) =>
  read(words(parseOptions(args, ['-t', '-e', '-i', '-P'])).slice(0, -1));

/** `curl -d @.env`, `-F f=@.env`, `-T .env`. */
const sender: Rule = (args) =>
  read(
    args.flatMap(({ text }, index) => {
      const sent = /^(?:[^@]*=)?@([^;]+)/.exec(text)?.[1];
      if (sent) return [sent];
      return ['-T', '--upload-file', '--post-file'].includes(args[index - 1]?.text ?? '')
        ? [text]
        : [text.replace(/^--(post-file|upload-file)=/, '')].filter((path) => path !== text);
    }),
  );

const kubectl: Rule = (args) => {
  const options = parseOptions(args, ['-n', '--namespace', '--context', '-o', '--output', '-l']);
  const [verb, what = '', name = null] = words(options);
  const shows = /^(ya?ml|json|jsonpath|go-template)/.test(
    options.values.get('-o') ?? options.values.get('--output') ?? '',
  );
  return verb === 'get' && /^secrets?(\/|$)/.test(what) && shows
    ? [{ kind: 'secret_read', target: name ?? what }]
    : NOTHING;
};

const aws: Rule = (args, surroundings) => {
  const decrypts = has(parseOptions(args), '--with-decryption');
  return verbs(
    {
      'secretsmanager get-secret-value': 'secret_read',
      'secretsmanager batch-get-secret-value': 'secret_read',
      ...(decrypts && {
        'ssm get-parameter': 'secret_read' as const,
        'ssm get-parameters': 'secret_read' as const,
        'ssm get-parameters-by-path': 'secret_read' as const,
      }),
    },
    ['--profile', '--region', '--output', '--query'],
  )(args, surroundings);
};

const sops: Rule = (args) => {
  const options = parseOptions(args);
  const [first, second] = words(options);
  if (first === 'decrypt') return [{ kind: 'secret_read', target: second ?? null }];
  return has(options, '-d', '--decrypt')
    ? [{ kind: 'secret_read', target: first ?? null }]
    : NOTHING;
};

const security = verbs({
  'find-generic-password': 'secret_read',
  'find-internet-password': 'secret_read',
});

const READERS = ['cat', 'bat', 'batcat', 'less', 'more', 'tac', 'nl', 'od', 'xxd', 'hexdump'];
const OTHER_READERS = ['strings', 'base64', 'base32', 'sort', 'uniq', 'rev', 'paste', 'view', 'vi'];
const SEARCHERS = ['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'awk', 'gawk', 'sed', 'jq', 'yq'];

const table = (names: readonly string[], rule: Rule) => names.map((name) => [name, rule] as const);

/** A variable that is named like a secret; which ones there are, the runner's redaction knows. */
const printenv: Rule = (args) =>
  words(parseOptions(args))
    .filter((name) => /TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY/i.test(name))
    .map((target) => ({ kind: 'secret_read', target }));

/** Programs that show what is secret: files of credentials, and the stores that keep them. */
export const SECRET_RULES: Readonly<Record<string, Rule | undefined>> = {
  ...Object.fromEntries(table([...READERS, ...OTHER_READERS, 'vim', 'nano'], reader())),
  ...Object.fromEntries(table(['head', 'tail', 'cut'], reader(['-n', '-c', '-d', '-f']))),
  ...Object.fromEntries(table(SEARCHERS, searcher)),
  ...Object.fromEntries(table(['tar', 'bsdtar', 'gzip', 'gpg', 'openssl', 'nc'], reader())),
  zip: (args, surroundings) => reader()(args.slice(1), surroundings),
  ...Object.fromEntries(table(['python', 'python3'], interpreter('-c'))),
  ...Object.fromEntries(
    table(['node', 'bun', 'ruby', 'perl'], interpreter('-e', '-p', '--eval', '--print')),
  ),
  ...Object.fromEntries(table(['cp', 'mv', 'scp', 'rsync', 'install'], copier)),
  ...Object.fromEntries(table(['curl', 'wget', 'xh', 'http'], sender)),
  gh: verbs({ 'auth token': 'secret_read' }, ['-h', '--hostname', '-u', '--user']),
  git: verbs({ 'credential fill': 'secret_read' }),
  vault: verbs({ 'kv get': 'secret_read', read: 'secret_read' }, ['-field', '-format', '-mount']),
  op: verbs({ read: 'secret_read', 'item get': 'secret_read', inject: 'secret_read' }),
  pass: verbs({ show: 'secret_read' }),
  bw: verbs({ 'get password': 'secret_read', 'get item': 'secret_read' }),
  security,
  'secret-tool': verbs({ lookup: 'secret_read' }),
  gcloud: verbs(
    {
      'secrets versions access': 'secret_read',
      'auth print-access-token': 'secret_read',
      'auth print-identity-token': 'secret_read',
    },
    ['--project', '--secret'],
  ),
  az: verbs({ 'keyvault secret show': 'secret_read', 'account get-access-token': 'secret_read' }, [
    '-n',
    '--name',
    '--vault-name',
    '-o',
    '--query',
  ]),
  aws,
  kubectl,
  heroku: verbs({ config: 'secret_read', 'config:get': 'secret_read' }, ['-a', '--app', '-r']),
  doppler: verbs({
    secrets: 'secret_read',
    'secrets get': 'secret_read',
    'secrets download': 'secret_read',
  }),
  infisical: verbs({ secrets: 'secret_read', export: 'secret_read' }, ['--env', '--path']),
  vercel: verbs({ 'env pull': 'secret_read' }),
  netlify: verbs({ 'env:get': 'secret_read', 'env:list': 'secret_read' }),
  chamber: verbs({ read: 'secret_read', export: 'secret_read' }),
  'ansible-vault': verbs({ view: 'secret_read', decrypt: 'secret_read' }, [
    '--vault-password-file',
  ]),
  sops,
  printenv,
};
