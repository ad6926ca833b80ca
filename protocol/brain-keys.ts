import { z } from 'zod';
import { brainKeyId } from './ids.ts';
import { type OwnPrice, ownPrice } from './own-price.ts';

/** Whose API a key opens, by the form of its requests. */
export const BRAIN_PROVIDERS = ['anthropic', 'openai-compatible', 'workers-ai'] as const;
export const brainProvider = z.enum(BRAIN_PROVIDERS);
export type BrainProvider = z.infer<typeof brainProvider>;

/** Where each provider's API is when nobody says otherwise; one is at an address of each account. */
export const BRAIN_BASE_URLS: Record<BrainProvider, string> = {
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': 'https://api.openai.com/v1',
  'workers-ai': 'https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai/v1',
};

/** Whether an address is needed, because there is none that is everybody's. */
export const needsAddress = (provider: BrainProvider): boolean => provider === 'workers-ai';

const ANYWHERE = /^https:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/;
const HERE = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?(\/[^\s?#\\]*)?$/;

/** Whether a key may be sent there: encrypted, or to this very machine. */
export const isBrainUrl = (text: string): boolean =>
  (ANYWHERE.test(text) || HERE.test(text)) && z.url().safeParse(text).success;

/** The API's root, such as `https://api.example.com/v1`, without a slash at its end. */
export const brainBaseUrl = z
  .string()
  .max(500)
  .refine(
    isBrainUrl,
    'give an https:// address without a name or a query; http:// only on loopback',
  )
  .transform((text) => text.replace(/\/+$/, ''));

/** What is shown of a key. The key itself is shown to nobody, not even to who gave it. */
export const brainKey = z.object({
  keyId: brainKeyId,
  name: z.string(),
  provider: brainProvider,
  baseUrl: z.string(),
  createdAt: z.int(),
  /** What its models cost, as a person says; null where their list prices hold. */
  price: ownPrice.nullable().default(null),
});
export type BrainKey = z.infer<typeof brainKey>;
export const brainKeyList = z.object({ items: z.array(brainKey) });

export const addBrainKeyRequest = z
  .object({
    name: z.string().trim().min(1).max(100),
    provider: brainProvider,
    baseUrl: brainBaseUrl.optional(),
    /** The key, as the provider gave it: printable, without a space. */
    secret: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{8,500}$/, 'a key has 8 to 500 characters and no space'),
    price: ownPrice.optional(),
  })
  .refine(({ provider, baseUrl }) => !needsAddress(provider) || baseUrl !== undefined, {
    path: ['baseUrl'],
    message: `give the address with the id of your account: ${BRAIN_BASE_URLS['workers-ai']}`,
  });

/** A key as it is given. */
export type AddBrainKey = z.input<typeof addBrainKeyRequest>;

/** Another price; null is the list prices. */
export const priceBrainKeyRequest = z.object({ price: ownPrice.nullable() });

/** A key that is open: it lives as long as the call that it is for, and nothing writes it down. */
export type OpenBrainKey = {
  provider: BrainProvider;
  baseUrl: string;
  secret: string;
  /** What its models cost, as a person says; null or absent: their list prices. */
  price?: OwnPrice | null;
};
