import { expect, it } from 'vitest'
import { seed } from '../kit/random.ts'
import { follow } from './follow/follow.ts'
import { runNetwork } from './follow/network-process.ts'

/* The short form of `npm run torture -- follow`: what is lost or different, and nothing of how fast. */

it(
  'an index that follows a network whose shards split and merge loses nothing, and no row is different when all are derived again',
  {
    timeout: 600_000,
  },
  async () => {
    const { blocks, faults } = await follow({
      network: runNetwork,
      options: {
        seed,
        stepMs: 250,
        pace: 5,
        mostShards: 4,
        keyEvery: 20,
        wallets: 200,
        perStep: 8,
        burst: 200,
        burstEvery: 60,
      },
      milliseconds: 30_000,
      say: () => {},
    })
    const sum = (of: 'splits' | 'merges' | 'transactions'): number => blocks.reduce((total, block) => total + block[of], 0)
    expect(faults).toEqual([])
    expect(sum('splits')).toBeGreaterThan(2)
    expect(sum('merges')).toBeGreaterThan(0)
    expect(sum('transactions')).toBeGreaterThan(100)
  },
)
