import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCheckoutSecrets } from '../../../runner/guard/checkout-secrets.ts';
import { copyIncluded } from '../../../runner/guard/include.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { readSource } from '../../../runner/guard/source.ts';
import type { Limits } from '../../../runner/limits.ts';
import {
  aDirectory,
  aRepository,
  commit,
  gitIn,
  limitsFor,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

function including(directory: string, ...include: string[]): Limits {
  return {
    ...limitsFor('/'),
    repositories: [
      {
        directory,
        include,
        setup: null,
        setupTimeoutMs: 1000,
        show: [],
        variables: [],
        hosts: [],
        protectedBranches: [],
        pushTags: false,
        mergeAtMost: 'ask',
      },
    ],
  };
}

function withSecrets(): string {
  const source = aRepository();
  commit(source, '.gitignore', '.env\nconfig/\n');
  write(source, '.env', 'API_TOKEN=canary-value-1\n');
  write(source, 'config/local.json', '{"password": "canary-value-2"}');
  return source;
}

describe('the include list', () => {
  test('brings files that git does not hold, into folders of their own', async () => {
    const source = withSecrets();
    const checkout = await ownCheckout(source, {
      limits: including(source, '.env', './config/local.json', 'absent'),
    });
    expect(checkout.included).toEqual(['.env', 'config/local.json']);
    expect(readFileSync(join(checkout.top, '.env'), 'utf8')).toContain('canary-value-1');
    expect(existsSync(join(checkout.top, 'config', 'local.json'))).toBe(true);
  });

  test('keeps them out of the session’s commits even where the repository does not ignore them', async () => {
    const source = aRepository();
    write(source, 'odd [name]* .env', 'API_TOKEN=canary-value-1\n');
    const checkout = await ownCheckout(source, { limits: including(source, 'odd [name]* .env') });
    expect(checkout.included).toHaveLength(1);
    expect(gitIn(checkout.top, 'status', '--porcelain')).toBe('');
  });

  test('brings nothing to a repository that it does not name', async () => {
    const checkout = await ownCheckout(withSecrets(), { limits: including('/elsewhere', '.env') });
    expect(checkout.included).toEqual([]);
    expect(existsSync(join(checkout.top, '.env'))).toBe(false);
  });

  test('leaves files that git tracks as git has them', async () => {
    const source = aRepository();
    write(source, 'readme.md', 'local\n');
    const checkout = await ownCheckout(source, { limits: including(source, 'readme.md') });
    expect(checkout.included).toEqual([]);
    expect(readFileSync(join(checkout.top, 'readme.md'), 'utf8')).toBe('hello\n');
  });

  test('follows a link inside the repository, and copies what it means', async () => {
    const source = withSecrets();
    symlinkSync('.env', join(source, '.env.local'));
    const checkout = await ownCheckout(source, { limits: including(source, '.env.local') });
    expect(lstatSync(join(checkout.top, '.env.local')).isFile()).toBe(true);
  });

  test('refuses a link that leads out of the repository', async () => {
    const source = aRepository();
    const outside = aDirectory();
    writeFileSync(join(outside, 'key'), 'private');
    symlinkSync(join(outside, 'key'), join(source, '.env'));
    const launch = ownCheckout(source, { limits: including(source, '.env') });
    await expect(launch).rejects.toMatchObject({
      code: 'workspace_refused',
      message: expect.stringContaining('leads out'),
    });
  });

  test('refuses to write through a folder that the base holds as a link', async () => {
    const outside = aDirectory();
    const linking = aRepository();
    symlinkSync(outside, join(linking, 'config'));
    gitIn(linking, 'add', 'config');
    gitIn(linking, 'commit', '--quiet', '-m', 'link');
    const checkout = await ownCheckout(linking);
    const source = await readSource(withSecrets());
    if (source === null) throw new Error('expected a repository');
    await expect(copyIncluded(source, checkout.top, ['config/local.json'])).rejects.toMatchObject({
      code: 'workspace_refused',
    });
    expect(existsSync(join(outside, 'local.json'))).toBe(false);
  });
});

describe('readCheckoutSecrets', () => {
  const valuesOf = (secrets: readonly { value: string }[]) =>
    secrets.map(({ value }) => value).toSorted();

  test('knows the values of every included file', async () => {
    const source = withSecrets();
    const checkout = await ownCheckout(source, {
      limits: including(source, '.env', 'config/local.json'),
    });
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual([
      'canary-value-1',
      'canary-value-2',
    ]);
  });

  test('still knows them after the session changed or deleted its copy', async () => {
    const source = withSecrets();
    const checkout = await ownCheckout(source, { limits: including(source, '.env') });
    write(checkout.top, '.env', 'API_TOKEN=another-value-3\n');
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual([
      'another-value-3',
      'canary-value-1',
    ]);
  });

  test('does not read through a link that the session put in the place of its copy', async () => {
    const source = withSecrets();
    const checkout = await ownCheckout(source, { limits: including(source, '.env') });
    rmSync(join(checkout.top, '.env'));
    symlinkSync('/etc/passwd', join(checkout.top, '.env'));
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual(['canary-value-1']);
  });

  test('reads through the links of a person’s own directory, wherever they keep such files', async () => {
    const [plain, elsewhere] = [aDirectory(), aDirectory()];
    write(elsewhere, 'shop.vars', 'A_TOKEN=canary-linked-9\n');
    symlinkSync(join(elsewhere, 'shop.vars'), join(plain, '.env'));
    symlinkSync('.env.round', join(plain, '.env.round'));
    symlinkSync(join(elsewhere, 'nothing'), join(plain, '.env.gone'));
    symlinkSync('/proc/self/environ', join(plain, '.env.system'));
    symlinkSync(elsewhere, join(plain, '.env.directory'));
    const checkout = await prepareCheckout(requestFor(plain, { spec: { checkout: 'inPlace' } }));
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual(['canary-linked-9']);
  });

  test('reads through a link of a checkout of its own as far as it leads to what is in there', async () => {
    const checkout = await ownCheckout(aRepository());
    write(checkout.top, 'shop.vars', 'A_TOKEN=canary-linked-10\n');
    symlinkSync('shop.vars', join(checkout.top, '.env'));
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual(['canary-linked-10']);
  });

  test('takes no more of what a session writes than there is memory for, and all of a person’s', async () => {
    const source = withSecrets();
    const checkout = await ownCheckout(source, { limits: including(source, '.env') });
    const many = Array.from({ length: 20_000 }, (_, n) => `TOKEN_${n}=hidden-value-${n}\n`);
    write(checkout.top, '.env.flood', many.join(''));
    const values = valuesOf(await readCheckoutSecrets(checkout));
    expect(values).toContain('canary-value-1');
    expect(values.length).toBeGreaterThan(1_000);
    expect(values.length).toBeLessThan(6_000);
  });

  test('knows the password in the address of a remote', async () => {
    const source = aRepository();
    gitIn(source, 'remote', 'add', 'origin', 'https://ada:canary-token-4@git.example.com/x.git');
    expect(valuesOf(await readCheckoutSecrets(await ownCheckout(source)))).toEqual([
      'canary-token-4',
    ]);
  });

  test('knows the files of variables of a directory in place, examples aside', async () => {
    const plain = aDirectory();
    write(plain, '.env.local', 'A_TOKEN=canary-value-5\n');
    write(plain, '.env.example', 'A_TOKEN=your-token-here\n');
    const checkout = await prepareCheckout(requestFor(plain, { spec: { checkout: 'inPlace' } }));
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual(['canary-value-5']);
  });

  test('knows them of a checkout of its own too, however they came there and however deep', async () => {
    const source = aRepository();
    write(source, '.env', 'API_TOKEN=canary-tracked-6\n');
    gitIn(source, 'add', '--force', '.env');
    gitIn(source, 'commit', '--quiet', '-m', 'env');
    const checkout = await ownCheckout(source);
    mkdirSync(join(checkout.top, 'packages', 'web'), { recursive: true });
    write(checkout.top, 'packages/web/.env.production', 'A_TOKEN=canary-made-7\n');
    for (const apart of ['node_modules', '.git']) {
      mkdirSync(join(checkout.top, apart, 'x'), { recursive: true });
      write(checkout.top, `${apart}/x/.env`, 'A_TOKEN=canary-apart-8\n');
    }
    expect(valuesOf(await readCheckoutSecrets(checkout))).toEqual([
      'canary-made-7',
      'canary-tracked-6',
    ]);
  });

  test('knows what stands there under a name that a person gives', async () => {
    const plain = aDirectory();
    write(plain, '.env', 'CUSTOMER_NUMBER=4711000815\n');
    const checkout = await prepareCheckout(requestFor(plain, { spec: { checkout: 'inPlace' } }));
    expect(await readCheckoutSecrets(checkout)).toEqual([]);
    expect(valuesOf(await readCheckoutSecrets(checkout, ['CUSTOMER_NUMBER']))).toEqual([
      '4711000815',
    ]);
  });

  test('is nothing that the checkout’s record holds', async () => {
    const source = withSecrets();
    gitIn(source, 'remote', 'add', 'origin', 'https://ada:canary-token-4@git.example.com/x.git');
    const checkout = await ownCheckout(source, { limits: including(source, '.env') });
    expect(JSON.stringify(checkout)).not.toContain('canary');
  });
});
