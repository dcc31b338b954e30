import { LRUCache } from 'lru-cache'

/**
 * An LRU cache whose memory grows with its content. With `max`, lru-cache allocates 40 bytes for each possible entry at once: 8 MB for all caches of an idle
 * service. So this class enforces `max` itself. With `maxSize` it limits the number of entries in addition to their size; without `maxSize` each entry gets the
 * size 1. Entries from `fetch` and `memo` are not limited, because these do not call `set`: use LRUCache for them.
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
