import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { imageId } from '../../../protocol/ids.ts';
import type { ImageRef } from '../../../protocol/image.ts';
import { fillImages } from '../../../runner/sessions/fill-images.ts';
import { imageSlot, namingImages } from '../../../runner/engines/images.ts';
import { ImageStore } from '../../../runner/images/image-store.ts';
import { aPng, sha256Of } from '../../support/images.ts';
import { DAY_MS } from '../../../protocol/retention.ts';
import { SESSION } from '../../support/protocol-builders.ts';

const PNG = aPng();
const IMAGE: ImageRef = {
  imageId: imageId.parse('img_one'),
  type: 'image/png',
  bytes: PNG.length,
  sha256: sha256Of(PNG),
};

let root: string;
let server: Server;
let store: ImageStore;
let from: { url: string; token: string };
let answers: (Buffer | number)[];
const asked: { path: string | undefined; token: string | undefined }[] = [];
beforeEach(async () => {
  asked.length = 0;
  answers = [];
  root = mkdtempSync(join(tmpdir(), 'images-'));
  server = createServer((request, response) => {
    asked.push({ path: request.url, token: request.headers.authorization });
    const answer = answers.shift() ?? PNG;
    if (typeof answer === 'number') response.writeHead(answer).end('<html>');
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  from = { url: `http://127.0.0.1:${port}`, token: 'runner-token' };
  store = new ImageStore(root, from);
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true });
});

describe('the images of instructions on a machine', () => {
  test('are fetched once as the runner, and are files that their owner alone can read', async () => {
    const [taken] = await store.take(SESSION, [IMAGE]);
    expect(taken?.type).toBe('image/png');
    expect(readFileSync(taken?.path ?? '')).toEqual(PNG);
    expect(statSync(taken?.path ?? '').mode & 0o777).toBe(0o600);
    expect(await store.take(SESSION, [IMAGE])).toEqual([taken]);
    expect(asked).toEqual([
      { path: `/v1/sessions/${SESSION}/images/img_one`, token: 'Bearer runner-token' },
    ]);
  });

  test('are asked for again when what came is something else, and never taken then', async () => {
    const other = aPng(8, [200, 0, 0]);
    answers = [other, PNG.subarray(1)];
    await store.take(SESSION, [IMAGE]);
    expect(asked).toHaveLength(3);
    const next = { ...IMAGE, imageId: imageId.parse('img_two') };
    answers = [other, other, other];
    await expect(store.take(SESSION, [next])).rejects.toMatchObject({ code: 'image_unavailable' });
    expect(readdirSync(join(root, 'images', SESSION))).toEqual(['img_one.png']);
  });

  test('are asked for again while the server is in trouble, three times at most', async () => {
    answers = [429, 500];
    expect(await store.take(SESSION, [IMAGE])).toHaveLength(1);
    expect(asked).toHaveLength(3);
    answers = [502, 502, 502];
    const other = { ...IMAGE, imageId: imageId.parse('img_two') };
    await expect(store.take(SESSION, [other])).rejects.toMatchObject({
      code: 'image_unavailable',
      context: { detail: 'img_two: the server answered 502' },
    });
    expect(asked).toHaveLength(6);
  });

  test('go when they are old, with their directory', async () => {
    const [taken] = await store.take(SESSION, [IMAGE]);
    const path = taken?.path ?? '';
    writeFileSync(`${path}.part`, 'half');
    const left = () => [path, `${path}.part`].map((each) => existsSync(each));
    // Somebody may write it at this moment.
    store.prune(Date.now(), DAY_MS);
    expect(left()).toEqual([true, true]);
    store.prune(Date.now() + DAY_MS / 2, DAY_MS);
    expect(left()).toEqual([true, false]);
    utimesSync(path, 0, 0);
    store.prune(Date.now(), DAY_MS);
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('are cleared away past whatever else lies there', async () => {
    const [taken] = await store.take(SESSION, [IMAGE]);
    const path = taken?.path ?? '';
    utimesSync(path, 0, 0);
    writeFileSync(join(root, 'images', '.DS_Store'), '');
    symlinkSync(join(root, 'nowhere'), join(root, 'images', 'a-link'));
    symlinkSync(join(root, 'nowhere'), join(dirname(path), 'a-link'));
    mkdirSync(join(dirname(path), 'a-directory.part'));
    store.prune(Date.now(), DAY_MS);
    expect(readdirSync(dirname(path))).toEqual(['a-directory.part', 'a-link']);
  });

  test('have one time for all of them, and end with who waits for them', async () => {
    server.removeAllListeners('request');
    const hasty = new ImageStore(root, from, 30);
    const next = { ...IMAGE, imageId: imageId.parse('img_two') };
    const late = await hasty.take(SESSION, [IMAGE, next]).catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'image_unavailable' });
    const stop = AbortSignal.abort(new Error('the session was stopped meanwhile'));
    await expect(store.take(SESSION, [IMAGE], stop)).rejects.toMatchObject({
      code: 'image_unavailable',
      context: { detail: 'img_one: the session was stopped meanwhile' },
    });
    server.closeAllConnections();
  });
});

describe('an image in a line to an engine', () => {
  test('stands where its slot was, whatever the person wrote, and is said where it is gone', async () => {
    const [taken] = await store.take(SESSION, [IMAGE]);
    if (!taken) throw new Error('nothing was taken');
    const slot = imageSlot(taken, (data) => ({ type: 'image', data }));
    const line = JSON.stringify({ content: [slot.token, `"${slot.token}"`, slot.token] });
    expect(JSON.parse(fillImages(line, [slot]))).toEqual({
      content: [slot.token, `"${slot.token}"`, { type: 'image', data: PNG.toString('base64') }],
    });
    rmSync(taken.path);
    expect(fillImages(line, [slot])).toContain('could not be read any more');
    expect(fillImages(line)).toBe(line);
  });

  test('is a path in the words for an engine that has no place for it', () => {
    const image = { path: '/i/one.png', type: 'image/png' } as const;
    expect(namingImages('look', [image, image])).toBe(
      'look\n\nThe instruction comes with these images:\n- /i/one.png\n- /i/one.png',
    );
    expect(namingImages('look')).toBe('look');
  });
});
