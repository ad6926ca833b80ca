import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { EngineHome } from '../engines/engine.ts';
import type { OwnCheckout } from '../guard/checkout.ts';
import { isOwnPlace } from '../limits/own-places.ts';
import { isWithin, realPathOf } from '../limits/paths.ts';
import type { ClosedNetwork, Mount, Room } from './argv.ts';
import { privatePathOf, type SealPlaces } from './places.ts';
import { SYSTEM_DIRECTORIES, toolchainOf } from './toolchain.ts';

export type RoomRequest = {
  bubblewrap: string;
  checkout: OwnCheckout;
  places: SealPlaces;
  /** Downloads of tools, shared by the sessions of one repository. */
  caches: string;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  engine: EngineHome;
  /** Executables that must be there, wherever they lie. */
  programs: readonly string[];
  /** What the machine's limits show beside, read-only. */
  shown: readonly string[];
  hidden: readonly string[];
  /** The runner's own directories, which nothing shows. */
  reserved: readonly string[];
  network: ClosedNetwork | null;
};

/** Files and directories of the system that hold its secrets; a runner that is root could read them. */
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/shadow-',
  '/etc/gshadow-',
  '/etc/krb5.keytab',
  '/etc/gitconfig',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers.d',
  '/etc/docker',
  '/etc/wireguard',
  '/etc/kubernetes',
  '/etc/letsencrypt',
  '/etc/NetworkManager/system-connections',
] as const;

/** Where tools keep what they download. */
const CACHES = [
  '.cache',
  '.npm',
  '.yarn',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg',
  '.gradle',
  '.m2/repository',
] as const;

/** Under another name than 0 in any case, so that no engine takes itself for the machine's root. */
const ORDINARY_ID = 1_000;

/**
 * Makes the private parts of a session's seal, and says what its processes see. Asking again
 * finds them as the session left them, with the settings as they are now.
 */
export function makeRoom(request: RoomRequest, directory: string): Room {
  const { bubblewrap, places, home } = request;
  for (const made of [places.home, places.tmp, places.own, places.shown, places.images])
    mkdirSync(made, { recursive: true, mode: 0o700 });
  const uid = process.getuid?.() || ORDINARY_ID;
  const gid = process.getgid?.() || ORDINARY_ID;
  return {
    bubblewrap,
    uid,
    gid,
    directory,
    network: request.network,
    mounts: [
      ...systemMounts(places, { uid, gid, home }),
      { kind: 'give', from: places.tmp, at: '/tmp' },
      { kind: 'give', from: places.home, at: home },
      ...toolMounts(request),
      ...engineMounts(request),
      ...checkoutMounts(request),
      ...[places.gate, places.programs, places.aside, places.forked, places.images]
        .filter((place) => existsSync(place))
        .map((from): Mount => ({ kind: 'show', from })),
    ],
  };
}

function systemMounts(
  places: SealPlaces,
  person: { uid: number; gid: number; home: string },
): Mount[] {
  const nothing = writeShown(places, 'nothing', '');
  return [
    ...SYSTEM_DIRECTORIES.filter(existsSync).map((place): Mount => {
      if (!lstatSync(place).isSymbolicLink()) return { kind: 'show', from: place };
      return { kind: 'link', to: readlinkSync(place), at: place };
    }),
    ...SYSTEM_SECRETS.filter(existsSync).map((place): Mount => {
      if (lstatSync(place).isDirectory()) return { kind: 'empty', at: place };
      return { kind: 'show', from: nothing, at: place };
    }),
    { kind: 'show', from: writeShown(places, 'passwd', passwdText(person)), at: '/etc/passwd' },
    {
      kind: 'show',
      from: writeShown(places, 'group', `users:x:${person.gid}:\n`),
      at: '/etc/group',
    },
    { kind: 'empty', at: '/run' },
    { kind: 'empty', at: '/var' },
    { kind: 'link', to: '../run', at: '/var/run' },
    { kind: 'link', to: '../tmp', at: '/var/tmp' },
    ...resolverMounts(),
  ];
}

function passwdText({ uid, gid, home }: { uid: number; gid: number; home: string }): string {
  // The same name as outside: engines make keys out of it.
  const { username } = userInfo();
  return `${username}:x:${uid}:${gid}::${home}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`;
}

/** How names are resolved often stands outside of `/etc`, with a link to it. */
function resolverMounts(): Mount[] {
  const real = realPathOf('/etc/resolv.conf');
  return isWithin('/etc', real) || !existsSync(real) ? [] : [{ kind: 'show', from: real }];
}

function toolMounts(request: RoomRequest): Mount[] {
  const { env, home, programs, hidden, caches, shown, reserved } = request;
  const tools = toolchainOf(env['PATH'] ?? '', programs, {
    home,
    exists: existsSync,
    real: realPathOf,
    hidden: [home, ...hidden],
  });
  return [
    ...tools.map((from): Mount => ({ kind: 'show', from })),
    ...CACHES.map((name): Mount => {
      const from = join(caches, name);
      mkdirSync(from, { recursive: true, mode: 0o700 });
      return { kind: 'give', from, at: join(home, name) };
    }),
    ...shownMounts(shown, reserved),
  ];
}

/** What is shown around the runner's own files is shown without them: its keys are there. */
function shownMounts(shown: readonly string[], reserved: readonly string[]): Mount[] {
  const seen = shown.filter((place) => existsSync(place) && !isOwnPlace(reserved, place));
  const covered = reserved.filter((own) => existsSync(own) && seen.some((at) => isWithin(at, own)));
  return [
    ...seen.map((from): Mount => ({ kind: 'show', from })),
    ...covered.map((at): Mount => ({ kind: 'empty', at })),
  ];
}

function engineMounts({ engine, home, places }: RoomRequest): Mount[] {
  const outside = engine.own.flatMap((directory, index): Mount[] =>
    isWithin(home, directory)
      ? []
      : [{ kind: 'give', from: join(places.own, String(index)), at: directory }],
  );
  for (const directory of engine.own)
    mkdirSync(privatePathOf(directory, home, engine.own, places), { recursive: true, mode: 0o700 });
  for (const { path, begin } of engine.begun ?? [])
    beginFile(privatePathOf(path, home, engine.own, places), path, begin);
  const settings = engine.settings.flatMap(({ path, without }, index): Mount[] => {
    if (!existsSync(path)) return [];
    if (!without) return [{ kind: 'show', from: realpathSync(path), at: path }];
    const text = without(readFileSync(path, 'utf8'));
    return [{ kind: 'show', from: writeShown(places, `settings-${index}`, text), at: path }];
  });
  return [...outside, ...settings];
}

/** Once: from then on it is what the session made of it. */
function beginFile(at: string, from: string, begin: (text: string) => string | null): void {
  if (existsSync(at) || !existsSync(from)) return;
  const text = begin(readFileSync(from, 'utf8'));
  if (text !== null) writeFileSync(at, text, { mode: 0o600, flag: 'wx' });
}

function checkoutMounts({ checkout }: RoomRequest): Mount[] {
  const stores = storesOf(join(checkout.source.commonDirectory, 'objects'));
  return [
    ...stores.map((from): Mount => ({ kind: 'show', from })),
    { kind: 'give', from: checkout.top },
  ];
}

/** An object store, and those that it borrows from itself (gitrepository-layout(5), alternates). */
function storesOf(store: string, seen: readonly string[] = []): string[] {
  if (seen.includes(store) || !existsSync(store)) return [];
  const list = join(store, 'info', 'alternates');
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : [];
  const borrowed = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : join(store, line)));
  return [store, ...borrowed.flatMap((each) => storesOf(each, [...seen, store]))];
}

function writeShown(places: SealPlaces, name: string, text: string): string {
  const path = join(places.shown, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
