import { describe, expect, test } from 'vitest';
import { collectSecrets, isSecretName, secretsOfFile } from '../../../runner/guard/secrets.ts';

const namesOf = (secrets: readonly { name: string }[]): string[] => secrets.map(({ name }) => name);

describe('isSecretName', () => {
  test.each([
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'DB_PASSWORD',
    'MYSQL_PWD',
    'NPM_CONFIG__AUTH',
    'SENTRY_DSN',
    'apiKey',
    'clientSecret',
    'NPM_AUTHTOKEN',
    'GITHUB_PAT',
    'SLACK_WEBHOOK',
    'APIKEY',
    'PGPASSWORD',
  ])('takes %s for a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'PATH',
    'PWD',
    'OLDPWD',
    'HOME',
    'KEYBOARD',
    'MONKEY',
    'COMPASS',
    'AUTHOR',
    'EDITOR',
    'PATTERN',
  ])('does not take %s for one', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('collectSecrets', () => {
  test('takes secret-looking names and the names given, and nothing else', () => {
    const env = { API_KEY: 'abcdefgh1', MINE: 'my-own-value', LANG: 'en_GB.UTF-8' };
    expect(collectSecrets(env, ['MINE'])).toEqual([
      { name: 'API_KEY', value: 'abcdefgh1' },
      { name: 'MINE', value: 'my-own-value' },
    ]);
  });

  test('leaves out short values, ordinary words, counts and places of secrets', () => {
    const env = {
      USE_TOKEN: 'true',
      KEY: 'short',
      AUTH: 'required',
      MAX_OUTPUT_TOKENS: '100000000',
      SSH_AUTH_SOCK: '/run/user/1000/ssh-agent.sock',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/ada/key.json',
    };
    expect(collectSecrets(env)).toEqual([]);
  });

  test('takes a password of digits, and a key that begins like a path', () => {
    expect(
      namesOf(collectSecrets({ PASSWORD: '12345678', AWS_SECRET_ACCESS_KEY: '/abcdefg/hijk' })),
    ).toEqual(['PASSWORD', 'AWS_SECRET_ACCESS_KEY']);
  });

  test('takes the password out of an address whatever it is called, as written and as meant', () => {
    expect(collectSecrets({ DATABASE_URL: 'postgres://app:p%40ssw0rd!@db/x' })).toEqual([
      { name: 'DATABASE_URL', value: 'p%40ssw0rd!' },
      { name: 'DATABASE_URL', value: 'p@ssw0rd!' },
    ]);
  });
});

describe('secretsOfFile', () => {
  test('takes the values of an environment file, quotes and comments aside', () => {
    const text =
      '# c\nexport A_TOKEN="quoted value 1"\nCUSTOM=9f8e7d6c5b4a\nNODE_ENV=development\nPORT=30000000\nURL=http://localhost:3000\n';
    expect(secretsOfFile('.env', text)).toEqual([
      { name: 'A_TOKEN', value: 'quoted value 1' },
      { name: 'CUSTOM', value: '9f8e7d6c5b4a' },
    ]);
  });

  test('takes an address with something secret in it', () => {
    const text = 'HOOK=https://hooks.example.com/services/T0/B1/abc\nAPI=https://api.example.com\n';
    expect(namesOf(secretsOfFile('.env.local', text))).toEqual(['HOOK']);
  });

  test('takes what stands under a name that a person gives, whatever it looks like', () => {
    const names = ['CUSTOMER_NUMBER'];
    const secret = [{ name: 'CUSTOMER_NUMBER', value: '4711000815' }];
    expect(secretsOfFile('.env', 'CUSTOMER_NUMBER=4711000815\nPORT=4711000816')).toEqual([]);
    expect(secretsOfFile('.env', 'CUSTOMER_NUMBER=4711000815\nPORT=4711000816', names)).toEqual(
      secret,
    );
    expect(secretsOfFile('a.json', '{"a":[{"CUSTOMER_NUMBER":"4711000815"}]}', names)).toEqual(
      secret,
    );
    expect(secretsOfFile('a.toml', 'CUSTOMER_NUMBER = "4711000815"', names)).toEqual(secret);
    expect(secretsOfFile('.env', 'CUSTOMER_NUMBER=4711', names)).toEqual([]);
  });

  test('takes the secret-looking keys of JSON', () => {
    const text = JSON.stringify({
      db: { password: 'correcthorse', host: 'db.internal' },
      apiKeys: ['key-number-1'],
    });
    expect(namesOf(secretsOfFile('local.json', text))).toEqual(['password', 'apiKeys']);
  });

  test('reads broken JSON as text rather than failing', () => {
    expect(secretsOfFile('local.json', '{"password": ')).toEqual([]);
  });
});
