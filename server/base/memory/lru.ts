import { LRUCache } from 'lru-cache'

/**
 * An LRU cache whose memory grows with what is in it. Given `max`, lru-cache reserves room for that many entries at once, 40 bytes each: 8 MB for all
 * caches of an idle service. So `max` is enforced here: with `maxSize` it bounds the entries besides their sizes, without it each entry has the size 1.
 * It does not bound what `fetch` and `memo` put in, which do not call `set`: use LRUCache itself for them.
 */
export class Lru<K extends {}, V extends {}, C = unknown> extends LRUCache<K, V, C> {
  readonly #most: number

  constructor({ max, ...options }: LRUCache.Options<K, V, C> & { readonly max: number }) {
    const sized = options.maxSize !== undefined
    super({ ...options, ...(sized ? {} : { maxSize: max, sizeCalculation: () => 1 }) } as LRUCache.Options<K, V, C>)
    this.#most = max
  }

  override set(key: K, value: V | undefined, options?: LRUCache.SetOptions<K, V, C>): this {
    super.set(key, value, options)
    while (this.size > this.#most) this.pop()
    return this
  }
}
