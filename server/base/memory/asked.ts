/** Counters of asked keys; a power of two. Two keys may share one, which does no harm: a value is then kept that need not be. */
const COUNTERS = 1 << 16
/** After so many keys the counters start anew, so that they do not fill up. */
const MOST_ASKED = COUNTERS >> 1

/** Counts how often keys are asked for, up to twice. It keeps counters, not the keys: these contain a caller's parameters and can be long. */
export class Asked {
  readonly #counters = new Uint8Array(COUNTERS)
  #count = 0
  /** The last key and its place: a key that was added is often asked about next. */
  #lastKey = ''
  #lastPlace = placeOf('')

  add(key: string): void {
    if (++this.#count > MOST_ASKED) this.clear()
    const at = this.#placeOf(key)
    if (this.#counters[at]! < 2) this.#counters[at]!++
  }
  isTwice(key: string): boolean {
    return this.#counters[this.#placeOf(key)] === 2
  }
  #placeOf(key: string): number {
    if (key === this.#lastKey) return this.#lastPlace
    this.#lastKey = key
    this.#lastPlace = placeOf(key)
    return this.#lastPlace
  }
  clear(): void {
    if (this.#count > 0) this.#counters.fill(0)
    this.#count = 0
  }
}

/** FNV-1a. Its low bits are well mixed. */
const placeOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 16)) & (COUNTERS - 1)
}
