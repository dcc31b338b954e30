import { beginCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway, TonwayOptions } from '../../server/start/types.ts'
import { code } from './endless.tolk'
import { transfer } from './transfer.ts'

const FRIEND = `0:${'77'.repeat(32)}`
const PLACES: readonly (readonly [string, TonwayOptions])[] = [
  ['in the same thread', {}],
  ['in a thread of its own', { thread: true }],
]

describe('a contract that sends messages to itself without an end', () => {
  const ENDLESS = `0:${'e0'.repeat(32)}`
  const begin = async (tonway: Tonway): Promise<void> => {
    const data = beginCell().endCell().toBoc().toString('base64')
    await tonway.client.local.setAccount({ address: ENDLESS, balance: '1000000000', code, data })
  }
  /** Milliseconds until a message is sent. */
  const timeOf = async (send: Promise<unknown>): Promise<number> => {
    const before = performance.now()
    await send
    return performance.now() - before
  }
  /** How long a sender waits for it. */
  const WAIT_MS = 8_000
  /** Whether each of three sends has to wait for it. One may take as long on a busy machine. */
  const isHeld = async (send: () => Promise<unknown>): Promise<boolean> => {
    for (let left = 3; left > 0; left--) if ((await timeOf(send())) < WAIT_MS) return false
    return true
  }

  it('it holds a sender in the program for a while, whose message is in a block all the same', async () => {
    await using tonway = await startTonway({ port: 'off' })
    await begin(tonway)
    const inside = await timeOf(tonway.client.sendBoc({ boc: await transfer(tonway, 0, ENDLESS, '100000') }))
    expect(inside).toBeGreaterThanOrEqual(WAIT_MS - 1)
    expect((await tonway.get(tonway.wallets[0]!.address, 'seqno')).stack).toEqual([['num', '0x1']])
  })

  it.each(PLACES)(
    'a record of it ends with the first part, and holds nobody later, with a tonway %s',
    async (_, place) => {
      await using tonway = await startTonway({ ...place, port: 'off' })
      await begin(tonway)
      const { local } = tonway.client
      const { snapshot } = await local.snapshot()
      const from = tonway.wallets[0]!.address
      const to = (address: string) => () => local.impersonate({ from, to: address, amount: '100000000000000', bounce: false })
      const first = await tonway.record(to(ENDLESS))
      expect(first).toMatchObject({ complete: false, truncated: true, transactions: { length: 1_000 } })
      // The next one waits for the end until the contract has gone on for too long; later ones do not wait at all.
      await timeOf(tonway.record(async () => {}))
      let lt = ''
      const again = async (): Promise<void> => {
        lt = (await tonway.record(to(FRIEND))).result.transaction_id.lt
      }
      expect(await isHeld(again)).toBe(false)
      // The trace of another message is not held either, and is complete.
      const other = () => local.trace({ address: from, lt })
      expect(await isHeld(other)).toBe(false)
      expect(await other()).toMatchObject({ complete: true, transactions: { length: 2 } })
      let seqno = 0
      expect(await isHeld(async () => tonway.client.sendBoc({ boc: await transfer(tonway, seqno++, FRIEND, '1') }))).toBe(false)
      await local.revert({ snapshot })
      expect(await tonway.record(to(FRIEND))).toMatchObject({ complete: true, truncated: false, transactions: { length: 2 } })
    },
    90_000,
  )
})
