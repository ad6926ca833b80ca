/**
 * A map whose keys are only ever added, and that is never changed: what adds to it gets another one,
 * and shares with it what was there. To add a key to 100,000 costs what it costs to add one to ten,
 * where a copy of a `Map` costs all of them.
 */
export class GrowingMap<V> {
  /** Maps without a key in common, each at least twice as large as the next: few, and seldom joined. */
  readonly #layers: readonly ReadonlyMap<string, V>[];

  constructor(layers: readonly ReadonlyMap<string, V>[] = []) {
    this.#layers = layers;
  }

  get size(): number {
    return this.#layers.reduce((sum, layer) => sum + layer.size, 0);
  }

  get(key: string): V | undefined {
    for (const layer of this.#layers) {
      const value = layer.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.#layers.some((layer) => layer.has(key));
  }

  /** This map and `added`, which has none of its keys and is not changed afterwards. */
  with(added: ReadonlyMap<string, V>): GrowingMap<V> {
    if (added.size === 0) return this;
    const layers = [...this.#layers];
    let last = added;
    for (let above = layers.at(-1); above && above.size < 2 * last.size; above = layers.at(-1)) {
      last = new Map([...above, ...last]);
      layers.pop();
    }
    return new GrowingMap([...layers, last]);
  }
}
