import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { BrainKey } from '../../protocol/brain-keys.ts';
import { parseOwnPrice, writeOwnPrice } from '../../protocol/own-price.ts';
import { BRAIN_KEYS_KEY, priceBrainKey } from '../api/brain-keys.ts';
import { decimalMark } from '../format/locale.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { FormEnd } from '../ui/form-end.tsx';
import { PRICE_PROBLEM, PriceField } from './price-field.tsx';

/** Asks what the models of a key cost. Nothing typed is the list prices. */
export function PriceBrainKey({ brainKey, onSaved }: { brainKey: BrainKey; onSaved: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const { keyId, price: before } = brainKey;
  const [typed, setTyped] = useState(before ? writeOwnPrice(before, decimalMark()) : '');
  const [tried, setTried] = useState(false);
  const price = typed.trim() === '' ? null : parseOwnPrice(typed, decimalMark());
  const saving = usePress({
    mutationFn: () => priceBrainKey(keyId, price ?? null),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: BRAIN_KEYS_KEY });
      onSaved();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (price !== undefined) saving.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <PriceField
        id={id}
        value={typed}
        onChange={setTyped}
        problem={tried && price === undefined ? PRICE_PROBLEM : undefined}
      />
      <FormEnd
        press={saving}
        retry={() => saving.mutate()}
        command={cliTwin.priceBrainKey(keyId, price ? writeOwnPrice(price) : null)}
      >
        Save the price
      </FormEnd>
    </form>
  );
}
