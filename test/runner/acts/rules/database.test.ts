import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../runner/acts/classify.ts';
import { actsOf } from '../expect-acts.ts';

describe('statements that a client is given', () => {
  const many = `select 1; ${'-'.repeat(70_000)}`;

  it.each([
    [`psql -c '${many}\ndrop table a'`],
    [`psql <<< '${many}\ndrop table a'`],
    [`psql <<'E'\n${many}\ndrop table a\nE`],
    [`sqlite3 shop.db '${many}\ndrop table a'`],
    [`mongosh --eval '${many}; db.a.drop()'`],
  ])('that go on past what is read are uncertain: %#', (line) => {
    expect(classifyCommand(line)).toMatchObject([
      {
        kind: 'drop',
        target: 'the rest of a text that is too long to be read whole',
        uncertain: true,
      },
    ]);
  });

  it.each([
    [`psql -c "insert into a values ('--'); drop table b"`, ['drop']],
    [`psql -c "insert into a values ('/*'); drop table b -- */"`, ['drop']],
    [`psql -c "select 1 /* ' */; drop table b"`, ['drop']],
    [`psql -c "select 1 -- it's\n; drop table b"`, ['drop']],
    [`psql -c "select 1 /* ; drop table b"`, []],
    [`psql -c "select 'a; drop table b"`, []],
  ])('are read beside remarks and texts: %s', (line, kinds) => {
    expect(classifyCommand(line).map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each([
    ['psql -c "DROP TABLE users"', 'drop'],
    ['psql --command="drop table users"', 'drop'],
    ['psql -c "select 1" -c "truncate users"', 'drop'],
    ['psql -c "ALTER TABLE users ADD x int"', 'migration'],
    ['mysql -u me -e "drop database shop"', 'drop'],
    ['mariadb --execute="DROP TABLE a"', 'drop'],
    ['echo "drop table users;" | psql shop', 'drop'],
    ['psql shop <<< "drop table users"', 'drop'],
    ['sqlite3 shop.db "drop table users"', 'drop'],
    ['duckdb -c "drop table a"', 'drop'],
    ['wrangler d1 execute shop --command "drop table a"', 'drop'],
    ['sqlcmd -Q "drop table a"', 'drop'],
    ['mysql -e"drop database shop"', 'drop'],
    ['echo "drop database shop" | mysql -f prod', 'drop'],
    ['echo "drop database shop" | mariadb prod -i', 'drop'],
    ['echo "drop table x" | psql -f -', 'drop'],
    ['echo "drop table x" | psql --file= shop', 'drop'],
    ['echo "drop table x" | psql -f ""', 'drop'],
    ['echo "drop table x" | duckdb -csv shop.db', 'drop'],
    ['echo "drop table x" | psql -f - -c "select 1"', 'drop'],
  ])('of %s are read: %s', (line, kind) => {
    expect(actsOf(line).map((act) => act.split(/[ ?]/)[0])).toEqual([kind]);
  });

  it.each([
    ['psql -c "select * from users"'],
    ['psql -c "select count(*) from drops"'],
    ['psql shop'],
    ['psql --help'],
    ['mysql --version'],
    ['sqlite3 :memory: "drop table users"'],
    ['sqlite3 /tmp/test.db "drop table users"'],
    ['sqlite3'],
    ['sqlite3 shop.db "select 1"'],
    ['echo "select 1" | psql'],
    ['echo "drop table x" | psql -c "select 1"'],
    ['psql --help < drop.sql'],
  ])('of %s change nothing', (line) => {
    expect(actsOf(line)).toEqual([]);
  });

  it.each([
    ['psql -f migrations/0001.sql', 'migration? migrations/0001.sql'],
    ['psql -f scripts/drop-all.sql', 'drop? scripts/drop-all.sql'],
    ['psql shop < scripts/reset.sql', 'drop? scripts/reset.sql'],
    ['psql -fscripts/drop-all.sql', 'drop? scripts/drop-all.sql'],
    ['psql shop -f - < scripts/drop.sql', 'drop? scripts/drop.sql'],
    ['mysql -f prod < drop.sql', 'drop? drop.sql'],
    ['mysql prod -f < drop.sql', 'drop? drop.sql'],
    ['mariadb -i prod < drop.sql', 'drop? drop.sql'],
    ['sqlcmd -i drop.sql', 'drop? drop.sql'],
    ['cqlsh --file=drop.cql.sql', 'drop? drop.cql.sql'],
    ['clickhouse-client --queries-file drop.sql', 'drop? drop.sql'],
    ['snowsql --filename drop.sql', 'drop? drop.sql'],
    ['duckdb shop.db -init schema.sql', 'migration? schema.sql'],
    ['mysql shop < dump.sql', 'migration? dump.sql'],
    ['mysql -e "source scripts/wipe.sql"', 'drop? scripts/wipe.sql'],
    ['psql -c "\\i schema.sql"', 'migration? schema.sql'],
    ['sqlite3 shop.db < schema.sql', 'migration? schema.sql'],
  ])('in a file are judged by its name, as what nobody has read: %s', (line, act) => {
    expect(actsOf(line)).toEqual([act]);
  });

  it('in several files are judged one by one', () => {
    const acts = actsOf('psql -f schema.sql -f drop.sql');
    expect(acts).toEqual(['migration? schema.sql', 'drop? drop.sql']);
  });

  it('that a variable may hold are not certain', () => {
    const [act] = actsOf('echo "drop table users; $MORE" | psql');
    expect(act).toMatch(/^drop\?/);
  });
});

describe('other stores', () => {
  it.each([
    ['mongosh --eval "db.dropDatabase()"', 'drop'],
    ['mongosh shop --eval "db.users.drop()"', 'drop'],
    ['mongosh --eval "db.users.deleteMany({})"', 'drop'],
    ['echo "db.users.drop()" | mongosh shop', 'drop'],
    ['mongo --eval "db.createUser({user: 1})"', 'permission'],
    ['redis-cli flushall', 'drop'],
    ['redis-cli -h db -n 1 FLUSHDB', 'drop'],
    ['echo flushall | redis-cli', 'drop'],
    ['dropdb shop', 'drop'],
    ['dropdb -h localhost shop', 'drop'],
    ['mysqladmin -u root drop shop', 'drop'],
    ['pg_restore --clean -d shop dump', 'drop'],
    ['pg_restore -c -d shop dump', 'drop'],
    ['heroku pg:reset -a app', 'drop'],
    ['aws dynamodb delete-table --table-name t', 'drop'],
    ['wrangler kv namespace delete x', 'drop'],
  ])('lose or grant by %s: %s', (line, kind) => {
    expect(actsOf(line).map((act) => act.split(/[ ?]/)[0])).toEqual([kind]);
  });

  it.each([
    ['mongosh --eval "db.users.find()"'],
    ['mongosh --eval "db.users.deleteMany({ old: true })"'],
    ['redis-cli get flushall'],
    ['redis-cli -h flushall ping'],
    ['dropdb --help'],
    ['dropdb'],
    ['pg_restore -d shop dump'],
    ['pg_dump shop'],
  ])('lose nothing by %s', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});

describe('migrations of a framework', () => {
  it.each([
    ['python manage.py migrate', 'migration'],
    ['python3 site/manage.py migrate shop 0003', 'migration shop 0003'],
    ['./manage.py flush', 'drop'],
    ['python -m alembic upgrade head', 'migration head'],
    ['python -m flask db upgrade', 'migration'],
    ['flask --app shop db downgrade', 'migration'],
    ['rails db:migrate', 'migration db:migrate'],
    ['bin/rails db:drop db:create', 'drop db:drop'],
    ['rake db:schema:load', 'drop db:schema:load'],
    ['RAILS_ENV=production rails db:rollback STEP=2', 'migration db:rollback'],
    ['php artisan migrate --force', 'migration'],
    ['php artisan migrate:fresh', 'drop'],
    ['npx prisma migrate deploy', 'migration'],
    ['npx prisma migrate reset', 'drop'],
    ['npx prisma db push', 'migration?'],
    ['npx prisma db push --force-reset', 'drop?'],
    ['migrate -path m -database $URL up', 'migration?'],
    ['goose -dir m up', 'migration up'],
    ['goose postgres "$URL" reset', 'drop? reset'],
    ['flyway clean', 'drop'],
    ['liquibase drop-all', 'drop'],
    ['dotnet ef database update', 'migration'],
    ['dotnet ef database drop -p src', 'drop'],
    ['wrangler d1 migrations apply shop', 'migration shop'],
  ])('%s is %s', (line, act) => {
    expect(actsOf(line)).toEqual([act]);
  });

  it.each([
    ['python manage.py makemigrations'],
    ['python manage.py test'],
    ['python -m pytest'],
    ['python -c "print(1)"'],
    ['rails db:seed'],
    ['rails routes'],
    ['php artisan migrate --pretend'],
    ['php artisan migrate:status'],
    ['php index.php migrate'],
    ['npx prisma generate'],
    ['goose -dir m status'],
    ['alembic history'],
    ['dotnet ef migrations add x'],
  ])('%s changes no database', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});
