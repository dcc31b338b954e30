import { Cell as CoreCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { fuzzBoc } from '../fuzz/boc.ts'
import { madeSeeds, realSeeds } from '../fuzz/seeds.ts'
import { seed } from '../kit/random.ts'

/** What @ton/core makes of the same bytes; it refuses some forms that TON allows (stored hashes that it cannot read, several roots with an index). */
const coreRoots = (bytes: Buffer): string[] | undefined => {
  try {
    return CoreCell.fromBoc(bytes).map((root) => root.hash().toString('hex'))
  } catch {
    return undefined
  }
}

describe('the reader of bags of cells', () => {
  it('10,000 mutants give only the reader’s own errors, and what is accepted means the same after a round trip and to @ton/core', () => {
    let compared = 0
    const onAccepted = (bytes: Buffer, roots: readonly { hashHex(): string }[]): void => {
      const core = coreRoots(bytes)
      if (core === undefined) return
      compared++
      expect(roots.map((root) => root.hashHex())).toEqual(core)
    }
    const small = fuzzBoc([...madeSeeds(), ...realSeeds(2048)], 9_500, seed, { onAccepted })
    const large = fuzzBoc([...madeSeeds(), ...realSeeds(48 * 1024)], 500, seed)
    expect([...small.findings, ...large.findings].slice(0, 5)).toEqual([])
    expect(small.passed + large.passed).toBe(10_000)
    // The mutations must neither all be refused nor be without effect, and the comparison must happen.
    expect(small.accepted).toBeGreaterThan(200)
    expect(small.accepted).toBeLessThan(8_000)
    expect(compared).toBeGreaterThan(small.accepted / 2)
  })
})
