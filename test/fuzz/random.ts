/** A small deterministic generator (mulberry32): the same seed gives the same run everywhere. */
export interface Random {
  /** 0 <= n < limit. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  return {
    below: (limit) => Math.floor((next() / 4294967296) * limit),
    chance: (probability) => next() / 4294967296 < probability,
    pick: (items) => items[Math.floor((next() / 4294967296) * items.length)]!,
  }
}
