import { describe, expect, it } from 'vitest'
import { createCollator } from '../../../../server/chain/local/collator.ts'
import type { StepInput } from '../../../../server/chain/local/model.ts'
import type { MakeTransaction } from '../../../../server/tvm/make-transaction.ts'
import { createGenesis } from '../../../kit/chain/create-genesis.ts'
import { comparedTransactions, EMULATOR_CONFIG, emulatorTransactions } from '../../../kit/chain/engines.ts'
import { accountId, COUNTER, contract, poke, relay, THROWER } from './collate-contracts.ts'
import { EMPTY, GENESIS_TIME, message, owner, send, signal, TON, validatorSeed } from './kit.ts'

/* The project's own TVM and the emulator of @ton/sandbox make the same chain, at the newest version that the emulator knows. */

const owners = Array.from({ length: 40 }, (_, n) =>
  owner(n, (['v3', 'v4', 'v5'] as const)[n % 3]!, n === 39 ? 1n : 1000n * TON, n % 10 === 9 ? -1 : 0),
)
const [counter, thrower, sender, away] = [accountId(1), accountId(2), accountId(3), accountId(4, -1)]
const accounts = [
  ...owners.map(({ account }) => account),
  contract(counter, COUNTER),
  contract(thrower, THROWER),
  relay(sender, message(counter, TON / 10n), 64),
  contract(away, COUNTER),
]
/** Transfers to each other, to contracts that fail or send on, to nobody, to the other chain; some with amounts that nobody has; a deploy. */
const round = (n: number): Partial<StepInput> => ({
  externals: [
    ...owners.map((o, i) => {
      const to = [owners[(i * 7 + n) % owners.length]!.id, counter, thrower, sender, away, accountId(100 + i)][(i + n) % 6]!
      const newcomer = owner(100 + n * 100 + i)
      const letters = [
        message(to, TON / BigInt((i % 4) + 1), { bounce: i % 2 === 0 }),
        ...(i % 5 === 0 ? [message(newcomer.id, TON, { init: newcomer.init })] : []),
        ...(i % 8 === 0 ? [message(to, 10_000n * TON)] : []),
      ]
      return send(o, i % 11 === 10 ? n + 1 : n, letters)
    }),
    poke(counter),
    poke(thrower),
    poke(sender),
  ],
})

/** Hashes of the files of a chain of some rounds. */
const chainBy = async (make: MakeTransaction): Promise<string[]> => {
  const collator = createCollator({ validatorSeed, globalId: -3, make })
  let { tip } = createGenesis({ globalId: -3, utime: GENESIS_TIME, validatorSeed, accounts })
  const files: string[] = []
  for (const [n, input] of [{ config: EMULATOR_CONFIG }, {}, round(0), round(1), {}, round(2), {}].entries()) {
    const step = await collator.step(tip, { ...EMPTY, utime: GENESIS_TIME + n + 1, ...input }, signal)
    for (const block of [step.shard, step.master]) files.push(Buffer.from(block.id.fileHash).toString('hex'))
    tip = step.tip
  }
  return files
}

describe('both engines', () => {
  it('both engines agree on every transaction, and make the same blocks byte for byte', { timeout: 120_000 }, async () => {
    const emulated = await emulatorTransactions()
    const both = comparedTransactions(emulated)
    const own = await chainBy(both.make)
    expect(both.differences).toEqual([])
    expect(both.compared()).toBeGreaterThan(250)
    expect(await chainBy(emulated)).toEqual(own)
  })
})
