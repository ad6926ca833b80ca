import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PERL = '/usr/bin/perl';
const SOURCE = fileURLToPath(new URL('../../../runner/egress/bridge.pl', import.meta.url));

/** Runs the bridge with its rounds under control; `round` is what each wait does. Its exit code. */
async function runWith(round: string, engine: number): Promise<number | null> {
  const ports = mkdtempSync(join(tmpdir(), 'rounds-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const far = createServer().listen(join(ports, String(port)));
  await once(far, 'listening');
  copyFileSync(SOURCE, join(ports, 'bridge.pl'));
  writeFileSync(
    join(ports, 'Rounds.pm'),
    `package Rounds; use Socket; our ($n, $t, @all) = (0, 1000);
     BEGIN { *CORE::GLOBAL::time = sub { $t }; *CORE::GLOBAL::select = sub { $n++; ${round} } }
     our $port = ${port}; 1;`,
  );
  const bridge = spawn(PERL, [`-I${ports}`, '-MRounds', join(ports, 'bridge.pl'), String(engine)], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [code] = (await once(bridge, 'exit')) as [number | null];
  far.close();
  rmSync(ports, { recursive: true });
  return code;
}

it.skipIf(!existsSync(PERL))('looks at its engine under work, with a clock set back', async () => {
  const busy = 'exit 7 if $n > 3; $t -= 50; return (0, $_[3]);';
  expect(await runWith(busy, 2 ** 22 + 1)).toBe(0);
});

it.skipIf(!existsSync(PERL))('takes all callers that wait in one round', async () => {
  const callers = `
    if ($n == 2) { my @open = glob '/proc/self/fd/*'; exit(@open > 60 ? 0 : 7) }
    for (1 .. 20) {
      socket(my $s, PF_INET, SOCK_STREAM, 0);
      connect($s, pack_sockaddr_in($port, INADDR_LOOPBACK)) or exit 8;
      push @all, $s;
    }
    return (CORE::select($_[0], $_[1], $_[2], $_[3]), $_[3]);`;
  expect(await runWith(callers, process.pid)).toBe(0);
});
