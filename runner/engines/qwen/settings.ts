import { z } from 'zod';
import { withoutComments } from '../../json-comments.ts';
import { parseJson } from '../../json.ts';
import { editing, IN_EVERY_MODE, parseSettings, type SettingsFinding } from '../settings.ts';

const provider = z.object({
  id: z.string(),
  envKey: z.string().optional().catch(undefined),
  baseUrl: z.string().optional().catch(undefined),
});
export type Provider = z.infer<typeof provider>;

const text = z.string().optional().catch(undefined);
const settings = z.object({
  security: z
    .object({
      auth: z
        .object({ selectedType: text, apiKey: text, baseUrl: text })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  model: z.object({ name: text }).optional().catch(undefined),
  env: z.record(z.string(), z.unknown()).optional().catch(undefined),
  modelProviders: z.record(z.string(), z.array(provider).catch([])).optional().catch(undefined),
});
export type OwnSettings = z.infer<typeof settings>;

/** What qwen's settings say of login and model; nothing where they cannot be read. */
export const parseOwnSettings = (json: string): OwnSettings =>
  settings.safeParse(parseJson(withoutComments(json))).data ?? {};

/** The provider that the settings describe for a model, with a key and an address of its own. */
export const providerOf = (
  own: OwnSettings,
  method: string,
  model: string | null,
): Provider | null => own.modelProviders?.[method]?.find(({ id }) => id === model) ?? null;

/** Source: qwen 0.24.4; an empty file is none. */
export function decideSettings(path: string, json: string): SettingsFinding[] {
  if (json.trim() === '') return [];
  const parsed = parseSettings(json);
  if (!('broken' in parsed)) return [];
  return [
    {
      problem: `${path} is no JSON (${parsed.broken}), so qwen works without it.`,
      remedy: `Correct it with ${editing(path)}, then look again.`,
      stops: [],
    },
  ];
}

const memory = z.object({ memory: z.object({ enableManagedAutoMemory: z.literal(false) }) });

/**
 * Settings for the whole machine stand in the place of ours. Where they leave its memory on, a
 * helper reads the conversation after a turn and runs commands that no line of qwen tells of
 * (seen on 0.24.4).
 */
export function decideSystemSettings(path: string, json: string): SettingsFinding[] {
  if (memory.safeParse(parseJson(withoutComments(json))).success) return [];
  return [
    {
      problem: `${path} leaves the memory of qwen on, whose helper would act unseen.`,
      remedy: `Write \`"memory": {"enableManagedAutoMemory": false}\` there with ${editing(path)}, then look again.`,
      stops: IN_EVERY_MODE,
    },
  ];
}
