/** Seed of everything random in tests: fixed, so that a failure repeats. TONWAY_SEED looks elsewhere. */
export const seed = Number(process.env['TONWAY_SEED'] ?? 20261120)

/** The generator of all tests (mulberry32). The same seed gives the same numbers everywhere. */
export interface Random {
  /** 0 <= x < 1. */
  fraction(): number
  /** A whole number, 0 <= n < limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(count: number): Uint8Array
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[below(items.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  }
}
