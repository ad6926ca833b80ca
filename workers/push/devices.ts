import { and, asc, eq, notInArray } from 'drizzle-orm';
import { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, PushDeviceId } from '../../protocol/ids.ts';
import {
  chosenNow,
  type DeviceChoices,
  type PushDevice,
  type subscribeRequest,
  withLater,
} from '../../protocol/push.ts';
import { isLive } from '../access/credentials.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { credentials, pushDevices } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { newId, sha256Hex } from '../lib/crypto.ts';
import { openText, sealText } from '../lib/secret-box.ts';
import { secretOf } from './keys.ts';

export type DeviceRow = typeof pushDevices.$inferSelect;
const subscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
});
export type Subscription = z.infer<typeof subscription>;

/** Keeps a browser's subscription, encrypted; the same browser again is the same device. */
export async function addDevice(
  env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
  database: Database,
  { accountId, actorId, tokenHash }: Principal,
  { endpoint, keys, name, kinds, quiet, details }: z.output<typeof subscribeRequest>,
  nowMs: number,
): Promise<PushDevice> {
  if (tokenHash === null) throw new PilothouseError('forbidden');
  const endpointSha256 = await sha256Hex(endpoint);
  const sealed = await sealText(
    secretOf(env),
    placeOf({ accountId, endpointSha256 }),
    JSON.stringify({ endpoint, keys }),
  );
  const choices = chosenNow({ kinds, quiet, details });
  const [row] = await database
    .insert(pushDevices)
    .values({
      deviceId: newId('psh', nowMs),
      accountId,
      actorId,
      tokenHash,
      endpointSha256,
      sealed,
      name,
      choices,
      createdAt: nowMs,
    })
    .onConflictDoUpdate({
      target: [pushDevices.accountId, pushDevices.endpointSha256],
      set: { actorId, tokenHash, sealed, name, choices, fault: null },
    })
    .returning();
  if (!row) throw new Error('The database kept no device.');
  return toDevice(row);
}

/** The browsers that are told, the first one first: those whose sign-in has not ended. */
export async function listDevices(
  database: Database,
  accountId: AccountId,
  nowMs: number,
): Promise<DeviceRow[]> {
  const rows = await database
    .select({ device: pushDevices })
    .from(pushDevices)
    .innerJoin(credentials, eq(credentials.tokenHash, pushDevices.tokenHash))
    .where(and(eq(pushDevices.accountId, accountId), isLive(nowMs)))
    .orderBy(asc(pushDevices.deviceId));
  return rows.map(({ device }) => device);
}

/** Forgets the browsers whose sign-in has ended: they are told nothing, and their keys are of no use. */
export async function forgetEnded(
  database: Database,
  accountId: AccountId,
  nowMs: number,
): Promise<void> {
  const { tokenHash } = credentials;
  const live = database.select({ tokenHash }).from(credentials).where(isLive(nowMs));
  await database
    .delete(pushDevices)
    .where(and(eq(pushDevices.accountId, accountId), notInArray(pushDevices.tokenHash, live)));
}

/** Changes what a browser is told. Throws `push_device_not_found`. */
export async function changeDevice(
  database: Database,
  accountId: AccountId,
  deviceId: PushDeviceId,
  choices: DeviceChoices,
): Promise<PushDevice> {
  const [row] = await database
    .update(pushDevices)
    .set({ choices: chosenNow(choices) })
    .where(mine(accountId, deviceId))
    .returning();
  if (!row) throw new PilothouseError('push_device_not_found', { deviceId });
  return toDevice(row);
}

/** Forgets a browser. Throws `push_device_not_found`. */
export async function removeDevice(
  database: Database,
  accountId: AccountId,
  deviceId: PushDeviceId,
): Promise<void> {
  const gone = await database.delete(pushDevices).where(mine(accountId, deviceId)).returning();
  if (gone.length === 0) throw new PilothouseError('push_device_not_found', { deviceId });
}

/** Where and with which keys a device is told; null under another secret than it was kept with. */
export async function openDevice(
  env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
  row: DeviceRow,
): Promise<Subscription | null> {
  const text = await openText(secretOf(env), placeOf(row), row.sealed);
  return text === null ? null : subscription.parse(JSON.parse(text));
}

const placeOf = (row: Pick<DeviceRow, 'accountId' | 'endpointSha256'>) =>
  `push ${row.accountId} ${row.endpointSha256}`;
const mine = (accountId: AccountId, deviceId: PushDeviceId) =>
  and(eq(pushDevices.accountId, accountId), eq(pushDevices.deviceId, deviceId));

/** A device as it is shown: not where its messages go, nor with which key. */
export function toDevice({ deviceId, name, choices, createdAt, lastAt, fault }: DeviceRow) {
  const { quiet, details = false } = choices;
  const told = { ...withLater(choices), quiet, details };
  return { deviceId, name, ...told, createdAt, lastAt, fault } satisfies PushDevice;
}
