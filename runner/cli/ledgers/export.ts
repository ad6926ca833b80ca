import { resolve } from 'node:path';
import { parseAnswer, refusal, send, withQuery } from '../api.ts';
import type { connect } from '../connect.ts';
import { print } from '../output.ts';
import { saveFile } from '../save.ts';
import { z } from 'zod';

type Query = Readonly<Record<string, string | number | undefined>>;
export type ExportOptions = { json?: boolean; output?: string; force?: true };

/**
 * Prints a ledger as CSV, or with `json` as JSON, or writes it into a file. What breaks off on the
 * way is a failure: half a file is never saved as a whole one.
 */
export async function exportLedger(
  { url, token }: Pick<ReturnType<typeof connect>, 'url' | 'token'>,
  path: string,
  query: Query,
  options: ExportOptions,
): Promise<void> {
  const address = withQuery(path, { ...query, format: options.json ? 'json' : 'csv' });
  const response = await send(url, token, 'GET', address, undefined);
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text);
  if (options.json) parseAnswer(z.array(z.unknown()), text, path);
  if (options.output === undefined) {
    process.stdout.write(text);
    return;
  }
  const file = resolve(options.output);
  saveFile(file, text, options.force ?? false);
  print(options.json, { file }, () => `Wrote ${file}.`);
}
