import { has, isDryRun, parseOptions, words } from '../arguments.ts';
import { type Argument, type Finding, NOTHING, type Rule } from '../types.ts';
import { isScratch } from './remove.ts';
import { readSql, unreadPast } from './sql.ts';
import { type Verbs, verbs } from './verbs.ts';

/** The values of an option that may be given several times, as `-c X`, `-cX` or `--command=X`. */
function valuesOf(args: readonly Argument[], names: readonly string[], oneDash = false): string[] {
  return args.flatMap(({ text }, index) => {
    if (names.includes(text)) return [args[index + 1]?.text ?? ''];
    const joined = names.find((name) => name.startsWith('--') && text.startsWith(`${name}=`));
    if (joined) return [text.slice(joined.length + 1)];
    const short = names.find((name) => /^-\w$/.test(name) && text.startsWith(name));
    return short && !oneDash ? [text.slice(2)] : [];
  });
}

type SqlClient = {
  /** Its options that are given statements, and those that name a file of them. */
  statements: readonly string[];
  files?: readonly string[];
  /** Its long options have one dash too, so that `-csv` is no `-c`. */
  oneDash?: boolean;
};

/** A client that is given its statements with an option, else reads a file or its input. */
const sqlClient =
  ({ statements, files = [], oneDash = false }: SqlClient): Rule =>
  (args, { input, reads }) => {
    const options = parseOptions(args, [...statements, ...files]);
    if (has(options, '--help', '--version')) return NOTHING;
    const given = valuesOf(args, statements, oneDash);
    const named = valuesOf(args, files, oneDash);
    const found = [...given.flatMap(readScript), ...named.flatMap(readFile)];
    if (given.length + named.length > 0 && !named.some(isInput)) return found;
    return [...found, ...(reads === null ? readInput(input) : readFile(reads.text))];
  };

/** `-f -` and `-f ''` name what the client would read anyway. */
const isInput = (file: string): boolean => file === '-' || file === '';

/** The statements of a client's input; what a variable in them holds is out of sight. */
const readInput = (input: Argument | null): Finding[] =>
  readSql(input?.text ?? '').map((finding) =>
    input?.certain ? finding : { ...finding, uncertain: true },
  );

/** A client may be told to read a file from within: `source x.sql`, `\\i x.sql`. */
function readScript(text: string): readonly Finding[] {
  const file = /^\s*(?:source|\\[.i])\s+(\S+)/i.exec(text)?.[1];
  return file === undefined ? readSql(text) : readFile(file);
}

/** A file of statements is not opened: its name is what there is to go by. */
const readFile = (file: string): readonly Finding[] =>
  /\.(sql|dump|pgsql|mysql)$/i.test(file)
    ? [{ kind: DROPS.test(file) ? 'drop' : 'migration', target: file, uncertain: true }]
    : NOTHING;

const DROPS = /(^|[/_.-])(drop|truncate|reset|wipe|teardown|destroy|clean)/i;

/** `sqlite3 FILE 'STATEMENTS'`: a database in memory or among temporary files is nobody's loss. */
const sqlite: Rule = (args, { input, reads }) => {
  const [file = '', ...statements] = words(parseOptions(args, ['-cmd', '-init', '-separator']));
  if (file === '' || file === ':memory:' || isScratch(file)) return NOTHING;
  if (statements.length > 0) return statements.flatMap(readSql);
  return reads === null ? readInput(input) : readFile(reads.text);
};

const mongo: Rule = (args, { input }) => {
  const code = [...valuesOf(args, ['--eval']), input?.text ?? ''].join('\n').trim();
  if (/\.(dropDatabase|drop|dropCollection)\(|\b(deleteMany|remove)\(\s*(\{\s*\})?\s*\)/.test(code))
    return [{ kind: 'drop', target: code.slice(0, 80) }];
  const past = unreadPast(code);
  return /\b(createUser|grantRolesToUser|updateUser|dropUser)\(/.test(code)
    ? [{ kind: 'permission', target: code.slice(0, 80) }, ...past]
    : past;
};

const redis: Rule = (args, { input }) => {
  const [verb = input?.text.trim().split(/\s/)[0] ?? ''] = words(
    parseOptions(args, ['-h', '-p', '-a', '-n', '-u', '--user', '--pass']),
  );
  return /^flush(all|db)$/i.test(verb) ? [{ kind: 'drop', target: verb }] : NOTHING;
};

/** `manage.py migrate`, through `python` or as a program of its own. */
const django = verbs({ migrate: 'migration', flush: 'drop', reset_db: 'drop' }, [
  '--settings',
  '--database',
]);

const python: Rule = (args, surroundings) => {
  const at = args.findIndex(({ text }) => /(^|\/)manage\.py$/.test(text));
  if (at >= 0) return django(args.slice(at + 1), surroundings);
  const module = args.findIndex(({ text }) => text === '-m');
  const name = args[module + 1]?.text;
  const rule = module >= 0 && (name === 'alembic' || name === 'flask') && DATABASE_RULES[name];
  return rule ? rule(args.slice(module + 2), surroundings) : NOTHING;
};

/** `rails db:migrate`: Rails and Rake name their tasks alike, several at a time. */
const rails: Rule = (args) => {
  const tasks = words(parseOptions(args, ['-e', '-f'])).filter((word) => !word.includes('='));
  return tasks.flatMap((task): Finding[] => {
    if (/^db:(drop|reset|purge|truncate_all|schema:load|migrate:reset|seed:replant)/.test(task))
      return [{ kind: 'drop', target: task }];
    return /^db:(migrate|rollback|forward|prepare)(:|$)/.test(task)
      ? [{ kind: 'migration', target: task }]
      : [];
  });
};

const php: Rule = (args, surroundings) => {
  const at = args.findIndex(({ text }) => /(^|\/)artisan$/.test(text));
  return at >= 0 ? artisan(args.slice(at + 1), surroundings) : NOTHING;
};
const artisan: Rule = (args, surroundings) =>
  has(parseOptions(args), '--pretend')
    ? NOTHING
    : verbs({
        migrate: 'migration',
        'migrate:rollback': 'migration',
        'migrate:fresh': 'drop',
        'migrate:refresh': 'drop',
        'migrate:reset': 'drop',
        'db:wipe': 'drop',
      })(args, surroundings);

/** golang-migrate: `migrate -path P -database URL up`. */
const golangMigrate = verbs(
  { up: 'migration', down: 'migration', goto: 'migration', drop: 'drop' },
  ['-path', '-database', '-source'],
);

/** `goose DRIVER URL up`, or `goose -dir D up`. */
const goose: Rule = (args) => {
  const given = words(parseOptions(args, ['-dir', '-table']));
  const verb = given.find((word) =>
    ['up', 'up-by-one', 'up-to', 'down', 'down-to', 'redo', 'reset'].includes(word),
  );
  if (!verb) return NOTHING;
  return [{ kind: verb === 'reset' ? 'drop' : 'migration', target: verb }];
};

const prisma: Rule = (args, surroundings) => {
  if (isDryRun(parseOptions(args))) return NOTHING;
  const loses = has(parseOptions(args), '--force-reset', '--accept-data-loss');
  const found = prismaVerbs(args, surroundings);
  return loses ? found.map((finding) => ({ ...finding, kind: 'drop' as const })) : found;
};
const prismaVerbs = verbs(
  {
    'migrate deploy': 'migration',
    'migrate dev': 'migration',
    'db push': { kind: 'migration', uncertain: true },
    'migrate reset': 'drop',
    'db execute': { kind: 'migration', uncertain: true },
  },
  ['--schema', '--name'],
);

const dotnet = verbs({ 'ef database update': 'migration', 'ef database drop': 'drop' }, [
  '--project',
  '--startup-project',
  '-p',
  '-s',
  '--context',
  '-c',
]);

const wrangler: Rule = (args, surroundings) => [
  ...wranglerVerbs(args, surroundings),
  ...valuesOf(args, ['--command']).flatMap(readSql),
];
const wranglerVerbs = verbs(
  {
    'd1 migrations apply': 'migration',
    'd1 delete': 'drop',
    'r2 bucket delete': 'drop',
    'kv namespace delete': 'drop',
    'd1 time-travel restore': 'drop',
  },
  ['-c', '--config', '-e', '--env', '--command', '--file'],
);

const AWS: Verbs = {
  'rds delete-db-instance': 'drop',
  'rds delete-db-cluster': 'drop',
  'dynamodb delete-table': 'drop',
};

/** PostgreSQL’s own, for which `-h` is a host. */
const dropdb: Rule = (args) => {
  const options = parseOptions(args, ['-h', '-p', '-U', '--host', '--port', '--username']);
  const [name = null] = words(options);
  return name === null || has(options, '--help') ? NOTHING : [{ kind: 'drop', target: name }];
};

const mysqladmin = verbs({ drop: 'drop', create: 'migration' }, ['-u', '-h', '-P', '-p']);

/** Programs that change what a database is, or what is in it. */
export const DATABASE_RULES: Readonly<Record<string, Rule | undefined>> = {
  psql: sqlClient({ statements: ['-c', '--command'], files: ['-f', '--file'] }),
  // For these two, `-f` and `-i` only say how they go on.
  mysql: sqlClient({ statements: ['-e', '--execute'] }),
  mariadb: sqlClient({ statements: ['-e', '--execute'] }),
  cockroach: sqlClient({ statements: ['-e', '--execute'], files: ['-f', '--file'] }),
  sqlcmd: sqlClient({ statements: ['-Q', '-q', '--query'], files: ['-i', '--input-file'] }),
  cqlsh: sqlClient({ statements: ['-e', '--execute'], files: ['-f', '--file'] }),
  'clickhouse-client': sqlClient({ statements: ['-q', '--query'], files: ['--queries-file'] }),
  snowsql: sqlClient({ statements: ['-q', '--query'], files: ['-f', '--filename'] }),
  duckdb: sqlClient({ statements: ['-c', '-s'], files: ['-f', '-init'], oneDash: true }),
  sqlite3: sqlite,
  mongosh: mongo,
  mongo,
  'redis-cli': redis,
  dropdb,
  mysqladmin,
  pg_restore: (args) =>
    has(parseOptions(args, ['-d', '--dbname', '-h', '-U', '-p', '-j']), '-c', '--clean')
      ? [
          {
            kind: 'drop',
            target: words(parseOptions(args, ['-d', '-h', '-U', '-p', '-j']))[0] ?? null,
          },
        ]
      : NOTHING,
  heroku: verbs({ 'pg:reset': 'drop' }, ['-a', '--app', '-r', '--confirm']),
  python,
  python3: python,
  './manage.py': django,
  'manage.py': django,
  rails,
  'bin/rails': rails,
  rake: rails,
  php,
  artisan,
  prisma,
  alembic: verbs({ upgrade: 'migration', downgrade: 'migration', stamp: 'migration' }, [
    '-c',
    '-n',
  ]),
  flask: verbs({ 'db upgrade': 'migration', 'db downgrade': 'migration' }, ['--app']),
  flyway: verbs({ migrate: 'migration', undo: 'migration', clean: 'drop' }),
  liquibase: verbs({ update: 'migration', rollback: 'migration', 'drop-all': 'drop' }),
  knex: verbs({
    'migrate:latest': 'migration',
    'migrate:up': 'migration',
    'migrate:down': 'migration',
    'migrate:rollback': 'migration',
  }),
  'sequelize-cli': verbs({
    'db:migrate': 'migration',
    'db:migrate:undo': 'migration',
    'db:drop': 'drop',
  }),
  sequelize: verbs({ 'db:migrate': 'migration', 'db:drop': 'drop' }),
  typeorm: verbs(
    { 'migration:run': 'migration', 'migration:revert': 'migration', 'schema:drop': 'drop' },
    ['-d', '--dataSource'],
  ),
  'drizzle-kit': verbs({ migrate: 'migration', push: 'migration' }, ['--config']),
  dbmate: verbs({ up: 'migration', migrate: 'migration', rollback: 'migration', drop: 'drop' }, [
    '-u',
    '--url',
    '-d',
    '-e',
  ]),
  goose,
  migrate: golangMigrate,
  sqlx: verbs(
    {
      'migrate run': 'migration',
      'migrate revert': 'migration',
      'database drop': 'drop',
      'database reset': 'drop',
    },
    ['-D', '--database-url', '--source'],
  ),
  diesel: verbs(
    {
      'migration run': 'migration',
      'migration redo': 'migration',
      'database reset': 'drop',
      'database drop': 'drop',
    },
    ['--database-url'],
  ),
  atlas: verbs(
    { 'migrate apply': 'migration', 'schema apply': 'migration', 'schema clean': 'drop' },
    ['--url', '-u', '--env', '--dir', '--to'],
  ),
  mix: verbs({
    'ecto.migrate': 'migration',
    'ecto.rollback': 'migration',
    'ecto.drop': 'drop',
    'ecto.reset': 'drop',
  }),
  dotnet,
  hasura: verbs({ 'migrate apply': 'migration', 'metadata apply': 'migration' }),
  sqitch: verbs({ deploy: 'migration', revert: 'migration' }),
  supabase: verbs({ 'db push': 'migration', 'migration up': 'migration', 'db reset': 'drop' }),
  wrangler,
  aws: verbs(AWS, ['--profile', '--region', '--output']),
  bq: verbs({ rm: 'drop' }, ['--project_id', '--location']),
  gcloud: verbs({ 'sql databases delete': 'drop', 'sql instances delete': 'drop' }, ['--project']),
};
