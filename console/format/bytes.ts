import { formatBytes as bytesWith } from '../../protocol/bytes.ts';
import { formatDecimal } from './locale.ts';

/** Bytes as people say them: `312 B`, `14 KB`, `2.1 MB`. */
export const formatBytes = (bytes: number): string =>
  bytesWith(bytes, (value, digits) => formatDecimal(value, digits, true));
