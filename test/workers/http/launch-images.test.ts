import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { turnId } from '../../../protocol/ids.ts';
import { IMAGE_MAX_BYTES, IMAGE_PART_BYTES, type ImageRef } from '../../../protocol/image.ts';
import { ask, codeOf } from '../support/http.ts';
import { anImage, anImageId, readImage, sendWhole } from '../support/images.ts';
import { MACHINE } from '../support/peers.ts';
import { until } from '../support/socket.ts';
import { type Installation, launchOn, readSession, startOnline } from '../support/sessions.ts';

let home: Installation;
beforeAll(async () => {
  home = await startOnline();
  home.peer.send({ type: 'machine', machine: { ...MACHINE, images: true } });
});

const held = (under: string, id: string) => `/v1/launches/${under}/images/${id}`;
const hold = (under: string, bytes: number): Promise<ImageRef> =>
  sendWhole({ bearer: home.cli, address: held(under, anImageId()) }, anImage(bytes));
const launch = (over: object, runnerId: string = home.runner.runnerId) =>
  ask('POST', '/v1/sessions', {
    bearer: home.cli,
    body: { runnerId, engineId: 'rehearsal', directory: null, objective: 'Look', ...over },
  });

describe('the images of a launch', () => {
  it('go with its first instruction, in the record and to the machine, which may read them', async () => {
    const under = 'trn_held1';
    const images = [await hold(under, 300), await hold(under, IMAGE_PART_BYTES + 9)];
    const imageIds = images.map(({ imageId }) => imageId);
    const made = await launchOn(home, { turnId: 'trn_made1', images: { under, imageIds } });
    expect(made.start).toMatchObject({
      method: 'session/start',
      params: { firstTurn: { turnId: 'trn_made1', images } },
    });
    const { view } = await readSession(home.cli, made.sessionId);
    expect(view.turns[0]?.images).toEqual(images);
    const own = `/v1/sessions/${made.sessionId}/images/${imageIds[1]}`;
    const shown = await readImage(own, home.runner.token);
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(anImage(IMAGE_PART_BYTES + 9));
  });

  it('are the same launch when it is asked for again, and another with others', async () => {
    const under = 'trn_held2';
    const imageIds = [(await hold(under, 300)).imageId];
    const other = [(await hold(under, 301)).imageId];
    const asked = { turnId: 'trn_made2', objective: 'Look', images: { under, imageIds } };
    const { sessionId } = await launchOn(home, asked);
    expect((await launch(asked)).body).toEqual({ sessionId, turnId: 'trn_made2' });
    expect(codeOf(await launch({ ...asked, images: { under, imageIds: other } }))).toBe(
      'turn_conflict',
    );
    expect(codeOf(await launch({ ...asked, images: undefined }))).toBe('turn_conflict');
  });

  it('are the same launch when what was held for it has gone', async () => {
    const imageIds = [(await hold('trn_held7', 300)).imageId];
    const asked = { turnId: 'trn_made7', objective: 'Look' };
    const images = { under: 'trn_held7', imageIds };
    const { sessionId } = await launchOn(home, { ...asked, images });
    const gone = { ...asked, images: { ...images, under: 'trn_gone7' } };
    expect((await launch(gone)).body).toEqual({ sessionId, turnId: 'trn_made7' });
  });

  it('may be held under the very id of the launch', async () => {
    const under = turnId.parse('trn_held3');
    const image = await hold(under, 300);
    const images = { under, imageIds: [image.imageId] };
    const { start } = await launchOn(home, { turnId: under, images });
    expect(start).toMatchObject({ params: { firstTurn: { images: [image] } } });
  });

  it('are shown to whoever brought them before it is made, and to no machine', async () => {
    const { imageId } = await hold('trn_held4', 300);
    expect((await readImage(held('trn_held4', imageId), home.cli)).status).toBe(200);
    expect((await readImage(held('trn_held4', imageId), home.runner.token)).status).toBe(403);
    expect((await readImage(held('trn_other', imageId), home.cli)).status).toBe(404);
  });

  it('refuse it where they are not there, or are too much', async () => {
    const under = 'trn_held5';
    const gone = { under, imageIds: [anImageId()] };
    const refused = { turnId: 'trn_made5', policy: { mode: 'none' }, images: gone };
    expect(codeOf(await launch(refused))).toBe('image_not_found');
    const parts = "SELECT 1 FROM merge_policies WHERE scope_key LIKE 'session%'";
    expect((await env.DB.prepare(parts).all()).results).toEqual([]);
    const large = await Promise.all([0, 1, 2].map(() => hold(under, IMAGE_MAX_BYTES)));
    const imageIds = large.map(({ imageId }) => imageId);
    expect(codeOf(await launch({ images: { under, imageIds } }))).toBe('images_too_large');
  });

  it('refuse it for a machine whose runner would leave them out', async () => {
    const { imageId } = await hold('trn_held6', 300);
    const before = { turnId: 'trn_made6', images: { under: 'trn_held6', imageIds: [imageId] } };
    expect((await launch(before)).status).toBe(201);
    home.peer.send({ type: 'machine', machine: MACHINE });
    let code: string | null = null;
    await until(async () => {
      const made = await launch({ images: { under: 'trn_held6', imageIds: [imageId] } });
      code = made.status === 201 ? null : codeOf(made);
      return code !== null;
    }, 'the machine to be told');
    expect(code).toBe('images_unsupported');
    expect(await launch(before)).toMatchObject({ status: 201, body: { turnId: 'trn_made6' } });
  });
});
