import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, type ImageId } from '../../../protocol/ids.ts';
import {
  IMAGE_MAX_BYTES,
  IMAGE_PART_BYTES,
  IMAGES_MAX_BYTES,
  imagePartAdded,
  type ImageRef,
} from '../../../protocol/image.ts';
import type { ImageCalls } from '../../../workers/lib/calls.ts';
import { ask, codeOf, registerRunner } from '../support/http.ts';
import { anImage, anImageId, readImage, sendPart, sendWhole } from '../support/images.ts';
import { MACHINE } from '../support/peers.ts';
import { type Installation, type Launched, launchOn, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

let home: Installation;
let session: Launched;
beforeAll(async () => {
  home = await startOnline();
  home.peer.send({ type: 'machine', machine: { ...MACHINE, images: true } });
  session = await launchOn(home);
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const address = (id: string, of = session.sessionId as string) => `/v1/sessions/${of}/images/${id}`;
const addPart = (id: ImageId, data: Uint8Array<ArrayBuffer>, part: number, over = {}) =>
  sendPart({ bearer: home.cli, address: address(id) }, data, part, over);
const add = (data: Uint8Array<ArrayBuffer>, of?: string): Promise<ImageRef> =>
  sendWhole({ bearer: home.cli, address: address(anImageId(), of) }, data);
const read = (id: string, bearer: string, of?: string) => readImage(address(id, of), bearer);
const hex = (digest: ArrayBuffer) =>
  [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const say = (images: string[], over = {}) =>
  ask('POST', `/v1/sessions/${session.sessionId}/instructions`, {
    bearer: home.cli,
    body: { text: 'look', images, ...over },
  });

describe('the images of a session', () => {
  it('go after a week where no instruction took them, though none comes after them', async () => {
    const own = await launchOn(home);
    const stub = env.SESSION_IMAGES.getByName(`${LOCAL_ACCOUNT}/${own.sessionId}`);
    const old = await add(anImage(9), own.sessionId);
    const kept = await add(anImage(9), own.sessionId);
    const fresh = await add(anImage(9), own.sessionId);
    await runInDurableObject(stub, async (images, { storage }) => {
      await (images as unknown as ImageCalls).use([kept.imageId]);
      const due = await storage.getAlarm();
      expect(Math.abs((due ?? 0) - Date.now() - WEEK_MS)).toBeLessThan(60_000);
      const age = 'UPDATE images SET begun_at = begun_at - ? WHERE image_id IN (?, ?)';
      storage.sql.exec(age, WEEK_MS, old.imageId, kept.imageId);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    const statusOf = async ({ imageId: id }: ImageRef) =>
      (await read(id, home.cli, own.sessionId)).status;
    expect(await Promise.all([old, kept, fresh].map(statusOf))).toEqual([404, 200, 200]);
    // The one that is left has its own week.
    expect(
      await runInDurableObject(stub, (_images, { storage }) => storage.getAlarm()),
    ).not.toBeNull();
  });

  it('leave nothing behind once none of them is there, and begin again', async () => {
    const own = await launchOn(home);
    const stub = env.SESSION_IMAGES.getByName(`${LOCAL_ACCOUNT}/${own.sessionId}`);
    const tables = () =>
      runInDurableObject(stub, (_images, { storage }) =>
        storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'image%'").toArray(),
      );
    expect((await read(anImageId(), home.cli, own.sessionId)).status).toBe(404);
    expect(await tables()).toEqual([]);
    await add(anImage(9), own.sessionId);
    await runInDurableObject(stub, (_images, { storage }) => {
      storage.sql.exec('UPDATE images SET begun_at = begun_at - ?', WEEK_MS);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await tables()).toEqual([]);
    const { imageId: again } = await add(anImage(9), own.sessionId);
    expect((await read(again, home.cli, own.sessionId)).status).toBe(200);
  });

  it('wait for an instruction up to what four may take', async () => {
    const own = await launchOn(home);
    const { imageId: first } = await add(anImage(9), own.sessionId);
    const stub = env.SESSION_IMAGES.getByName(`${LOCAL_ACCOUNT}/${own.sessionId}`);
    // As if it were forty megabytes: what counts is what the rows say.
    const claim = 'UPDATE images SET bytes = ?';
    await runInDurableObject(stub, (_images, { storage }) => {
      storage.sql.exec(claim, 4 * IMAGES_MAX_BYTES);
    });
    const to = { bearer: home.cli, address: address(anImageId(), own.sessionId) };
    expect(codeOf(await sendPart(to, anImage(9), 0))).toBe('images_waiting');
    await runInDurableObject(stub, async (images, { storage }) => {
      storage.sql.exec(claim, 9);
      await (images as unknown as ImageCalls).use([first]);
      storage.sql.exec(claim, 4 * IMAGES_MAX_BYTES);
    });
    expect((await sendPart(to, anImage(9), 0)).status).toBe(200);
  });

  it('come in parts, in any order and twice, and are the same bytes under their hash', async () => {
    const data = anImage(2 * IMAGE_PART_BYTES + 5);
    const id = anImageId();
    expect((await addPart(id, data, 2)).body).toEqual({ image: null });
    expect((await addPart(id, data, 0)).body).toEqual({ image: null });
    expect((await addPart(id, data, 0)).body).toEqual({ image: null });
    expect((await read(id, home.cli)).status).toBe(404);
    const { image } = imagePartAdded.parse((await addPart(id, data, 1)).body);
    const sha256 = hex(await crypto.subtle.digest('SHA-256', data));
    expect(image).toEqual({ imageId: id, type: 'image/png', bytes: data.byteLength, sha256 });
    const shown = await read(id, home.cli);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(data);
  });

  it.each([
    ['what begins as something else', anImage(100), { type: 'image/gif' }, 'image_refused'],
    ['a drawing that can hold a program', anImage(100), { type: 'image/svg+xml' }, 'bad_request'],
    ['one that is too large', anImage(10), { bytes: String(IMAGE_MAX_BYTES + 1) }, 'bad_request'],
    ['a part of another length', anImage(100), { bytes: '99' }, 'image_refused'],
    ['no bytes', new Uint8Array(0), { bytes: '1' }, 'image_refused'],
  ])('are never %s', async (_, data, over, code) => {
    const id = anImageId();
    expect(codeOf(await addPart(id, data, 0, over))).toBe(code);
    expect((await read(id, home.cli)).status).toBe(404);
  });

  it('are read by the machine of the session, and by no other', async () => {
    const { imageId: id } = await add(anImage(300));
    expect((await read(id, home.runner.token)).status).toBe(200);
    expect((await read(id, (await registerRunner()).token)).status).toBe(403);
    expect((await read(id, home.cli, 'ses_nowhere')).status).toBe(404);
  });

  it('go with an instruction, in the record and to the machine', async () => {
    const image = await add(anImage(300));
    const said = await say([image.imageId], { turnId: 'trn_shown' });
    expect(said.status).toBe(202);
    const { command } = await home.peer.next('command');
    expect(command).toMatchObject({
      method: 'session/instruct',
      params: { turnId: 'trn_shown', text: 'look', images: [image] },
    });
    expect((await say([image.imageId], { turnId: 'trn_shown' })).status).toBe(202);
    expect(codeOf(await say([], { turnId: 'trn_shown' }))).toBe('turn_conflict');
  });

  it('are refused with an instruction when they are not there, are too much, or too many', async () => {
    expect(codeOf(await say([anImageId()]))).toBe('image_not_found');
    const large = await Promise.all([0, 1, 2].map(() => add(anImage(IMAGE_MAX_BYTES))));
    expect(codeOf(await say(large.map((image) => image.imageId)))).toBe('images_too_large');
    expect(codeOf(await say(Array.from({ length: 6 }, anImageId)))).toBe('bad_request');
  });

  it('are refused for a machine whose runner would leave them out', async () => {
    const image = await add(anImage(300));
    home.peer.send({ type: 'machine', machine: MACHINE });
    let code: string | null = null;
    await until(async () => {
      const said = await say([image.imageId]);
      code = said.status === 202 ? null : codeOf(said);
      return code !== null;
    }, 'the machine to be told');
    expect(code).toBe('images_unsupported');
  });
});
