import { LRUCache } from 'lru-cache'

/**
 * LRU cache whose memory grows with its content. With `max`, lru-cache allocates 40 bytes for each possible entry at once, so this class enforces `max`
 * itself. With `maxSize`, both the number and the size of entries are limited; without it, each entry has size 1. `fetch` and `memo` bypass the limit,
 * because they do not call `set`: use LRUCache for them.
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
