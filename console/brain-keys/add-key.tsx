import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import {
  addBrainKeyRequest,
  BRAIN_BASE_URLS,
  BRAIN_PROVIDERS,
  type BrainKey,
  type BrainProvider,
  needsAddress,
} from '../../protocol/brain-keys.ts';
import { parseOwnPrice } from '../../protocol/own-price.ts';
import { addBrainKey, BRAIN_KEYS_KEY } from '../api/brain-keys.ts';
import { decimalMark } from '../format/locale.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { PRICE_PROBLEM, PriceField } from './price-field.tsx';

const PROVIDERS: Record<BrainProvider, string> = {
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI or compatible',
  'workers-ai': 'Workers AI',
};

const NEEDS = {
  name: 'Say what you call it.',
  baseUrl: 'Give an https:// address without a name or a query; http:// only on loopback.',
  secret: 'A key has 8 to 500 characters and no space.',
} as const;

/** Asks for a key and keeps it. What was typed as the key is shown nowhere, before or after. */
export function AddBrainKey({ onAdded }: { onAdded: (key: BrainKey) => void }) {
  const id = useId();
  const client = useQueryClient();
  const [provider, setProvider] = useState<BrainProvider>('anthropic');
  const [typed, setTyped] = useState({ name: '', baseUrl: '', secret: '' });
  const [typedPrice, setTypedPrice] = useState('');
  const [tried, setTried] = useState(false);
  const { name, baseUrl, secret } = typed;
  const price = parseOwnPrice(typedPrice, decimalMark());
  const wrongPrice = typedPrice.trim() !== '' && price === undefined;
  const request = {
    name,
    provider,
    secret,
    ...(baseUrl.trim() && { baseUrl: baseUrl.trim() }),
    ...(price && { price }),
  };
  const parsed = addBrainKeyRequest.safeParse(request);
  const wrong = new Set(tried ? parsed.error?.issues.map(({ path }) => path[0]) : []);
  const adding = usePress({
    mutationFn: () => addBrainKey(request),
    onSuccess: async (key) => {
      await client.invalidateQueries({ queryKey: BRAIN_KEYS_KEY });
      onAdded(key);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog may stand within a form of its own, which is not what is sent.
    event.stopPropagation();
    setTried(true);
    if (parsed.success && !wrongPrice) adding.mutate();
  };
  const field = (part: keyof typeof typed) => ({
    id: `${id}-${part}`,
    'aria-invalid': wrong.has(part),
    className: inputClass(wrong.has(part)),
    value: typed[part],
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [part]: event.target.value }),
  });
  const problem = (part: keyof typeof typed) => (wrong.has(part) ? NEEDS[part] : undefined);
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <div className="mb-3">
        <Segmented
          label="Provider"
          value={provider}
          options={BRAIN_PROVIDERS.map((value) => ({ value, label: PROVIDERS[value] }))}
          onChoose={setProvider}
        />
      </div>
      <Field id={`${id}-name`} label="Name" problem={problem('name')}>
        <input {...field('name')} maxLength={100} placeholder="work" />
      </Field>
      <Field
        id={`${id}-secret`}
        label="Key"
        problem={problem('secret')}
        hint="Encrypted where it is kept, sent to its address alone, and shown to nobody again."
      >
        <input {...field('secret')} type="password" autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        id={`${id}-baseUrl`}
        label={
          needsAddress(provider)
            ? 'Address of the API, with the id of your account'
            : 'Address of the API (empty: the provider’s own)'
        }
        problem={problem('baseUrl')}
      >
        <input {...field('baseUrl')} spellCheck={false} placeholder={BRAIN_BASE_URLS[provider]} />
      </Field>
      <PriceField
        id={`${id}-price`}
        value={typedPrice}
        onChange={setTypedPrice}
        problem={tried && wrongPrice ? PRICE_PROBLEM : undefined}
      />
      <FormEnd
        press={adding}
        retry={() => adding.mutate()}
        command={cliTwin.addBrainKey(name, provider)}
      >
        Keep the key
      </FormEnd>
    </form>
  );
}
