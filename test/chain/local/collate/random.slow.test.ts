import { beginCell, type Cell as CoreCell, type MessageRelaxed } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { StepInput } from '../../../../server/chain/local/model.ts'
import type { AccountId } from '../../../../server/tlb/ids.ts'
import { createRandom, type Random, seed } from '../../../kit/random.ts'
import { accountId, COUNTER, contract, KEEPER, PUBLISHER, poke, RELAY, relayData, THROWER } from './collate-contracts.ts'
import { fromCore, message, type Owner, openChain, owner, send, TON } from './kit.ts'

/* Anything that people and contracts may do, at random, over many blocks: the independent validator follows every one of them. */

const CHAINS = Number(process.env['TONWAY_RANDOM_CHAINS'] ?? 1)
const STEPS = 12

const bytes = (random: Random, length: number): Buffer => Buffer.from(Array.from({ length }, () => random.below(256)))
const randomCell = (random: Random, depth = 2): CoreCell => {
  const b = beginCell().storeBuffer(bytes(random, random.below(40)))
  for (let refs = depth > 0 ? random.below(3) : 0; refs > 0; refs--) b.storeRef(randomCell(random, depth - 1))
  return b.endCell()
}
/** Modes of SENDRAWMSG, the usual ones and some that cannot be. */
const MODES = [0, 1, 2, 3, 16, 64, 65, 66, 128, 130, 160, 128 + 32 + 2, 32, 192, 255]
const VALUES = [0n, 1n, 1000n, TON / 100n, TON / 10n, TON, 50n * TON, 2000n * TON]

const populate = (random: Random) => {
  const owners = (['v3', 'v4', 'v5', 'v4', 'v5'] as const).map((version, n) => owner(n, version, 1000n * TON, n < 4 ? 0 : -1))
  const placed = Array.from({ length: 14 }, (_, n) => accountId(n + 1, n % 4 === 0 ? -1 : 0))
  const nobody = [accountId(100), accountId(101, -1), accountId(102)]
  const everybody: readonly AccountId[] = [...owners.map(({ id }) => id), ...placed, ...nobody]
  const anyone = (): AccountId => random.pick(everybody)
  const letter = (): MessageRelaxed => {
    const newcomer = random.chance(0.1) ? owner(50 + random.below(5), 'v4') : undefined
    return message(newcomer?.id ?? anyone(), random.pick(VALUES), {
      bounce: random.chance(0.5),
      ...(random.chance(0.5) && { body: randomCell(random) }),
      ...(newcomer && { init: newcomer.init }),
    })
  }
  const program = (): { code: CoreCell; data: CoreCell } => {
    const kind = random.below(8)
    if (kind < 3) return { code: RELAY, data: relayData(letter(), random.pick(MODES)) }
    if (kind === 3) return { code: THROWER, data: beginCell().endCell() }
    if (kind === 4) return { code: COUNTER, data: beginCell().storeUint(0, 32).endCell() }
    if (kind === 5) return { code: random.chance(0.5) ? KEEPER : PUBLISHER, data: randomCell(random) }
    // Code that nobody wrote: most of it throws, all of it must be accounted for.
    return { code: beginCell().storeBuffer(bytes(random, 60)).endCell(), data: randomCell(random) }
  }
  return { owners, placed, anyone, letter, program }
}

it('two queued messages to an account that does not exist, and stays so, have different lts', async () => {
  const sender = owner(0, 'v4', 1000n * TON, -1)
  const nobody = accountId(1)
  const chain = openChain([sender.account])
  await chain.step({
    externals: [
      send(
        sender,
        0,
        Array.from({ length: 3 }, () => message(nobody, TON / 10n, { bounce: true })),
      ),
    ],
  })
  const { found } = await chain.step({})
  const lts = found.shard.transactions.map(({ transaction }) => transaction.lt)
  expect(lts).toHaveLength(3)
  expect(new Set(lts).size).toBe(3)
  expect(chain.account(nobody)).toBeUndefined()
})

describe('blocks of random deeds', () => {
  const count = { transactions: 0, refused: 0, bounced: 0 }
  it.each(Array.from({ length: CHAINS }, (_, n) => seed + n))(
    'blocks of random actions pass the validator (seed %i)',
    { timeout: 120_000 },
    async (start) => {
      const random = createRandom(start)
      const { owners, placed, anyone, letter, program } = populate(random)
      const chain = openChain([
        ...owners.map(({ account }) => account),
        ...placed.map((id) => {
          const { code, data } = program()
          return contract(id, code, { data, balance: random.pick(VALUES) + 1n })
        }),
      ])
      await chain.step({})
      const seqnoOf = ({ id, wallet }: Owner): number => {
        const state = chain.account(id)?.account?.storage.state
        if (state?.type !== 'active' || !state.state.data) return 0
        const data = state.state.data.beginParse()
        return 'walletId' in wallet && typeof wallet.walletId === 'object' ? data.skip(1).loadUint(32) : data.loadUint(32)
      }
      const few = <T>(most: number, make: () => T): T[] => Array.from({ length: random.below(most + 1) }, make)
      for (let n = 0; n < STEPS; n++) {
        const input: Partial<StepInput> = {
          externals: [
            ...owners.flatMap((each) =>
              random.chance(0.6)
                ? [
                    send(each, seqnoOf(each) + (random.chance(0.1) ? 1 : 0), few(4, letter), {
                      mode: random.pick([0, 1, 2, 3, 3, 3, 128 + 2]),
                    }),
                  ]
                : [],
            ),
            ...few(3, () => poke(anyone(), randomCell(random))),
          ],
          internals: random.chance(0.3)
            ? few(3, () => ({
                from: anyone(),
                to: anyone(),
                value: random.pick(VALUES),
                bounce: random.chance(0.5),
                body: fromCore(randomCell(random)),
              }))
            : [],
          accounts: random.chance(0.2)
            ? [...new Set(few(2, () => random.pick(placed)))].map((account) => {
                const { code, data } = program()
                return { account, balance: random.pick(VALUES), code: fromCore(code), data: fromCore(data) }
              })
            : [],
          // Now and then so much time goes by that accounts owe for their storage.
          utime: chain.tip.master.utime + (random.chance(0.1) ? 100_000_000 : 1 + random.below(10)),
        }
        const { step, found } = await chain.step(input)
        count.refused += step.refused.length
        for (const { transaction } of [...found.shard.transactions, ...found.master.transactions]) {
          count.transactions++
          if (transaction.description.type === 'generic' && transaction.description.bouncePhase) count.bounced++
        }
      }
    },
  )

  it('the random actions made transactions and refusals', () => {
    expect(count.transactions).toBeGreaterThan(CHAINS * STEPS * 2)
    expect(count.refused).toBeGreaterThan(CHAINS)
    expect(count.bounced).toBeGreaterThan(CHAINS)
  })
})
