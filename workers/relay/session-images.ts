import { DurableObject } from 'cloudflare:workers';
import type { ImageId } from '../../protocol/ids.ts';
import {
  IMAGE_PART_BYTES,
  IMAGES_MAX_BYTES,
  type ImageRef,
  type ImageType,
  partBytes,
  sniffImage,
} from '../../protocol/image.ts';
import { KEPT_MS } from '../../protocol/retention.ts';
import type { Env } from '../env.ts';
import type { ImageCalls, ImagePart } from '../lib/calls.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { migrateStorage, type StorageStep } from '../lib/storage-migrations.ts';
import { parseFeedName } from './identity.ts';

/** Append a step to change them; a released step never changes. */
const IMAGE_STEPS: readonly StorageStep[] = [
  `
  CREATE TABLE images (
    image_id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT,
    begun_at INTEGER NOT NULL,
    used INTEGER NOT NULL
  );
  CREATE TABLE image_parts (
    image_id TEXT NOT NULL,
    part INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (image_id, part)
  ) WITHOUT ROWID;
  `,
];

/** What the images of one session may come to, in bytes. */
const SESSION_MAX_BYTES = 200 * 1024 * 1024;
/** What of them may wait for an instruction at once, in bytes: what four instructions may take. */
const UNUSED_MAX_BYTES = 4 * IMAGES_MAX_BYTES;

type ImageRow = {
  image_id: string;
  type: string;
  bytes: number;
  sha256: string | null;
  used: number;
};

/**
 * The images of one session, for as long as its record: beside its feed, so that no entry of the
 * record waits for megabytes. One that holds none stores nothing: it is named by whoever asks, for
 * launches too that are never made.
 */
export class SessionImages extends DurableObject<Env> implements ImageCalls {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #hasTables: boolean;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // Reached by a raw id it has no name and no owner, and refuses to work.
    parseFeedName(ctx.id.name);
    this.#storage = ctx.storage;
    this.#sql = ctx.storage.sql;
    this.#hasTables =
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'storage_version'").toArray()
        .length > 0;
    if (this.#hasTables) migrateStorage(ctx.storage, IMAGE_STEPS);
  }

  /**
   * Stores one part; the same part again changes nothing. Answers the image once it is whole.
   * Refuses `image_refused` for what is no such image, `images_full` and `images_waiting`.
   */
  async addPart(input: ImagePart): Promise<Outcome<ImageRef | null>> {
    const { imageId, type, bytes, part, data, nowMs } = input;
    if (data.byteLength === 0 || data.byteLength !== partBytes(bytes, part))
      return refuse('image_refused');
    if (part === 0 && sniffImage(new Uint8Array(data)) !== type) return refuse('image_refused');
    this.#open();
    this.#dropUnused(nowMs);
    const known = this.#find(imageId);
    if (known?.sha256) return succeed(refOf(known));
    if (known && (known.type !== type || known.bytes !== bytes)) return refuse('image_refused');
    const { all, unused } = this.#held();
    if (!known && all + bytes > SESSION_MAX_BYTES) return refuse('images_full');
    if (!known && unused + bytes > UNUSED_MAX_BYTES) return refuse('images_waiting');
    this.#storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT OR IGNORE INTO images (image_id, type, bytes, sha256, begun_at, used) VALUES (?, ?, ?, NULL, ?, 0)',
        imageId,
        type,
        bytes,
        nowMs,
      );
      this.#sql.exec('INSERT OR REPLACE INTO image_parts VALUES (?, ?, ?)', imageId, part, data);
    });
    await this.#arm();
    return succeed(await this.#seal(imageId, bytes));
  }

  /** Drops what nobody took, in a session too to which no other image comes. */
  override async alarm(): Promise<void> {
    if (!this.#hasTables) return;
    this.#dropUnused(Date.now());
    if (this.#held().all > 0) return this.#arm();
    this.#hasTables = false;
    await this.#storage.deleteAll();
  }

  /** The images that an instruction names, kept from here on. Refuses `image_not_found`. */
  async use(imageIds: readonly ImageId[]): Promise<Outcome<ImageRef[]>> {
    const found: ImageRef[] = [];
    for (const imageId of imageIds) {
      const row = this.#find(imageId);
      if (!row?.sha256) return refuse('image_not_found', { detail: imageId });
      found.push(refOf(row));
    }
    if (found.reduce((sum, { bytes }) => sum + bytes, 0) > IMAGES_MAX_BYTES)
      return refuse('images_too_large');
    for (const { imageId } of found)
      this.#sql.exec('UPDATE images SET used = 1 WHERE image_id = ?', imageId);
    return succeed(found);
  }

  /** An image that is there whole. Refuses `image_not_found`. */
  async read(imageId: ImageId): Promise<Outcome<{ image: ImageRef; data: Uint8Array }>> {
    const row = this.#find(imageId);
    if (!row?.sha256) return refuse('image_not_found', { detail: imageId });
    return succeed({ image: refOf(row), data: this.#join(imageId, row.bytes) });
  }

  #open(): void {
    if (!this.#hasTables) migrateStorage(this.#storage, IMAGE_STEPS);
    this.#hasTables = true;
  }

  #dropUnused(nowMs: number): void {
    const unused = 'used = 0 AND begun_at <= ?';
    const before = nowMs - KEPT_MS.unusedImage;
    this.#storage.transactionSync(() => {
      this.#sql.exec(
        `DELETE FROM image_parts WHERE image_id IN (SELECT image_id FROM images WHERE ${unused})`,
        before,
      );
      this.#sql.exec(`DELETE FROM images WHERE ${unused}`, before);
    });
  }

  /** Sees to an alarm for the image that has waited longest; one that was used since costs one look. */
  async #arm(): Promise<void> {
    if ((await this.#storage.getAlarm()) !== null) return;
    const { oldest } = this.#sql
      .exec<{ oldest: number | null }>('SELECT MIN(begun_at) AS oldest FROM images WHERE used = 0')
      .one();
    if (oldest !== null) await this.#storage.setAlarm(oldest + KEPT_MS.unusedImage);
  }

  /** Gives an image its hash once every part is there; null before. */
  async #seal(imageId: ImageId, bytes: number): Promise<ImageRef | null> {
    const there = this.#sql
      .exec<{ parts: number }>(
        'SELECT COUNT(*) AS parts FROM image_parts WHERE image_id = ?',
        imageId,
      )
      .one().parts;
    if (there < Math.ceil(bytes / IMAGE_PART_BYTES)) return null;
    const digest = await crypto.subtle.digest('SHA-256', this.#join(imageId, bytes));
    const sha256 = [...new Uint8Array(digest)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    this.#sql.exec('UPDATE images SET sha256 = ? WHERE image_id = ?', sha256, imageId);
    const row = this.#find(imageId);
    return row ? refOf(row) : null;
  }

  #join(imageId: ImageId, bytes: number): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(bytes);
    const rows = this.#sql.exec<{ part: number; data: ArrayBuffer }>(
      'SELECT part, data FROM image_parts WHERE image_id = ? ORDER BY part',
      imageId,
    );
    for (const { part, data } of rows) whole.set(new Uint8Array(data), part * IMAGE_PART_BYTES);
    return whole;
  }

  #find(imageId: ImageId): ImageRow | null {
    if (!this.#hasTables) return null;
    return (
      this.#sql.exec<ImageRow>('SELECT * FROM images WHERE image_id = ?', imageId).toArray()[0] ??
      null
    );
  }

  /** What the images come to that are here, in bytes, and those of them that no instruction took. */
  #held(): { all: number; unused: number } {
    return this.#sql
      .exec<{ all: number; unused: number }>(
        'SELECT COALESCE(SUM(bytes), 0) AS "all", COALESCE(SUM(CASE used WHEN 0 THEN bytes END), 0) AS unused FROM images',
      )
      .one();
  }
}

const refOf = ({ image_id, type, bytes, sha256 }: ImageRow): ImageRef => ({
  imageId: image_id as ImageId,
  type: type as ImageType,
  bytes,
  sha256: sha256 ?? '',
});
