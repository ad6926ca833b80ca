import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runnerId } from '../../../protocol/ids.ts';
import { EXIT } from '../../../runner/failure.ts';
import { isHostName, listAllowedHosts } from '../../../runner/host/allowed-hosts.ts';
import {
  readIdentity,
  readInstance,
  writeIdentity,
  writeInstance,
} from '../../../runner/host/instance.ts';
import { createLogFile } from '../../../runner/host/log-file.ts';
import { splitMigration } from '../../../runner/host/migrations.ts';
import { decideAddresses } from '../../../runner/host/open-address.ts';
import { checkPlatform } from '../../../runner/host/platform-check.ts';
import { listenFailure } from '../../../runner/host/port.ts';
import { miniflareOptionsOf, parseWranglerConfig } from '../../../runner/host/wrangler-config.ts';
import { temporaryDirectory } from './temporary.ts';

describe('the hosts that are answered to', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);

  it('are lower case, each once, and always loopback by both its names', () => {
    fc.assert(
      fc.property(
        fc.array(label, { maxLength: 4 }),
        fc.integer({ min: 1, max: 65_535 }),
        (names, port) => {
          const hosts = listAllowedHosts(
            port,
            [],
            [...names, ...names.map((name) => name.toUpperCase())],
          );
          expect(new Set(hosts).size).toBe(hosts.length);
          expect(hosts).toEqual(expect.arrayContaining([`127.0.0.1:${port}`, `localhost:${port}`]));
          for (const host of hosts) expect(host).toBe(host.toLowerCase());
        },
      ),
    );
  });

  it('never have a comma, a space or a slash that would make one name two', () => {
    const around = fc.tuple(
      label,
      fc.constantFrom(',', '/', ' ', '@', '#', '?', '\n', '\u0000', ';', '*'),
      label,
    );
    fc.assert(
      fc.property(around, ([before, between, after]) => {
        expect(isHostName(`${before}.${after}`)).toBe(true);
        expect(isHostName(`${before}${between}${after}`)).toBe(false);
      }),
    );
    expect(isHostName('evil.test,localhost')).toBe(false);
    expect(isHostName('localhost\n')).toBe(false);
  });
});

describe('the address that --host opens', () => {
  const at = (address: string) => [
    { address, family: 'IPv4' as const, internal: false, netmask: '', mac: '', cidr: null },
  ];
  it.each([
    ['10.1.2.3', true],
    ['192.168.0.9', true],
    ['172.16.0.1', true],
    ['172.31.255.1', true],
    ['172.15.0.1', false],
    ['172.32.0.1', false],
    ['192.169.0.1', false],
    ['100.64.0.1', false],
  ])('%s is of a private network: %j', (address, isPrivate) => {
    const chosen = decideAddresses(true, { a: at('203.0.113.7'), b: at(address) });
    expect(chosen).toEqual([isPrivate ? address : '203.0.113.7']);
  });
});

describe('why an address cannot be listened on', () => {
  it.each([
    ['EADDRINUSE', 'port_busy', EXIT.failed],
    ['EACCES', 'port_forbidden', EXIT.failed],
    ['EADDRNOTAVAIL', 'address_unknown', EXIT.usage],
    ['ENOTFOUND', 'address_unknown', EXIT.usage],
    ['EAI_AGAIN', 'address_unknown', EXIT.usage],
    ['EMFILE', 'port_unusable', EXIT.failed],
    [undefined, 'port_unusable', EXIT.failed],
  ])('is, for %s, %s', (code, expected, exitCode) => {
    const error = Object.assign(new Error('listen'), code === undefined ? {} : { code });
    expect(listenFailure(80, '127.0.0.1', error)).toMatchObject({
      code: expected,
      exitCode,
      cause: error,
    });
  });
});

describe('the files of an installation', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' });

  it('give back any token that was written, and stay closed to others', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4_000_000 }), (cliToken, pid) => {
        const path = join(temporaryDirectory(), 'instance.json');
        const instance = { url: 'http://127.0.0.1:7717', pid, cliToken, runnerId: null };
        writeInstance(path, instance);
        expect(readInstance(path)).toEqual(instance);
        expect(statSync(path).mode & 0o777).toBe(0o600);
      }),
      { numRuns: 25 },
    );
  });

  it('are none when they were cut anywhere, and never half of one', () => {
    const path = join(temporaryDirectory(), 'identity.json');
    const identity = { runnerId: runnerId.parse('run_1'), cliToken: 'secret' };
    writeIdentity(path, identity);
    const whole = readFileSync(path, 'utf8').trimEnd();
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.slice(0, length));
      expect(readIdentity(path)).toEqual({ runnerId: null, cliToken: null });
    }
  });

  it.each([
    { url: 'no address', pid: 1, cliToken: 't', runnerId: null },
    { url: 'http://x', pid: 0, cliToken: 't', runnerId: null },
    { url: 'http://x', pid: 1, cliToken: '', runnerId: null },
    { url: 'http://x', pid: 1, cliToken: 't', runnerId: 'ses_1' },
  ])('are none when a field is not what it must be: %j', (value) => {
    const path = join(temporaryDirectory(), 'instance.json');
    writeFileSync(path, JSON.stringify(value));
    expect(readInstance(path)).toBeNull();
  });

  it('that cannot be read are a fault, not an instance that is absent', () => {
    const path = join(temporaryDirectory(), 'instance.json');
    mkdirSync(path);
    expect(() => readInstance(path)).toThrow(/EISDIR/);
  });
});

describe('a log file of any lines', () => {
  it('holds the last lines whole, within twice its limit', () => {
    const lines = fc.array(fc.stringMatching(/^[a-zé]{1,30}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 20, max: 200 }), (words, limit) => {
        const path = join(temporaryDirectory(), 'log');
        const log = createLogFile(path, limit);
        for (const word of words) log(`${word}\n`);
        const kept = readFileSync(path, 'utf8');
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(limit + 62);
        expect(words.join('\n').endsWith(kept.trimEnd())).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a migration cut into statements', () => {
  it.each([
    ['', []],
    ['  \n ', []],
    ['CREATE TABLE a (b);', ['CREATE TABLE a (b);']],
    ['one\n--> statement-breakpoint\n\n--> statement-breakpoint\ntwo\n', ['one', 'two']],
    [
      'CREATE TRIGGER t BEGIN SELECT 1; SELECT 2; END;',
      ['CREATE TRIGGER t BEGIN SELECT 1; SELECT 2; END;'],
    ],
  ])('%j is %j', (text, statements) => {
    expect(splitMigration(text)).toEqual(statements);
  });
});

describe('the platform', () => {
  it.each(['v24.0.0', 'v25.1.0', 'v100.0.0', '24.0.0'])('is fine with Node %s', (version) => {
    expect(checkPlatform('linux', version)).toBeNull();
  });

  it.each(['v23.99.9', 'v2.4.0', '', 'v', 'latest'])('is refused with Node %j', (version) => {
    expect(checkPlatform('darwin', version)).toMatchObject({ code: 'node_too_old' });
  });

  it('says Windows first, whatever the Node', () => {
    expect(checkPlatform('win32', 'v10.0.0')?.code).toBe('windows');
  });
});

describe('the configuration of the Worker', () => {
  const text = readFileSync('wrangler.toml', 'utf8');

  it.each(['name', 'main', 'compatibility_date'])('is refused without %s', (key) => {
    const without = text.replace(new RegExp(`^${key} *=.*$`, 'm'), '');
    expect(without).not.toBe(text);
    expect(() => parseWranglerConfig(without)).toThrow(new RegExp(key));
  });

  it('is refused where it is no TOML', () => {
    expect(() => parseWranglerConfig('name = ')).toThrow(/TOML/i);
  });

  it('stores with SQLite exactly the classes whose migration says so', () => {
    const config = parseWranglerConfig(text);
    const options = miniflareOptionsOf({ ...config, migrations: [] });
    const objects = Object.values<{ useSQLite: boolean }>(Object(options['durableObjects']));
    expect(objects.length).toBeGreaterThan(1);
    expect(objects.every(({ useSQLite }) => !useSQLite)).toBe(true);
    const stored = Object.values(Object(miniflareOptionsOf(config)['durableObjects']));
    expect(stored).toEqual(stored.map((one) => ({ ...Object(one), useSQLite: true })));
  });
});
