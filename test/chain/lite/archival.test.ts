import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import { type LiteArgs, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { until } from '../../kit/wait.ts'
import { createTestPool, serve, type TestPool } from './kit.ts'

/* Servers that dropped what is old, and those that have the whole history: they are found and used by themselves. */

const { signal } = new AbortController()
const TRANSFERS = 20
let tvm: Tvm
let local: LocalChain
let cut = 0n
const closing: { close(): unknown }[] = []

const read = (chain: Chain, archival?: boolean) =>
  chain.transactions(local.control.wallets()[0]!.address, { from: undefined, limit: 100, toLt: 0n, archival }, signal)

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  const { address } = local.control.wallets()[0]!
  for (let i = 0; i < TRANSFERS; i += 1) {
    await local.control.fund(address, 1_000_000_000n, signal)
    await local.control.mine(1, signal)
  }
  const direct = createChain({ source: local, tvm })
  cut = (await read(direct)).transactions[10]!.transaction.lt
})
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

/** A server without the first blocks and the older transactions; `asked` counts what it is asked for transactions. */
const forgetful = () => {
  const asked = { times: 0 }
  const source = {
    ...local,
    async query(fn, args, stop) {
      if (fn === 'lookupBlock' && (args as LiteArgs<'lookupBlock'>).id.seqno === 1)
        throw new LiteServerError(651, 'cannot find block (-1,8000000000000000) seqno=1: seqno not in db')
      if (fn === 'getTransactions') asked.times += 1
      if (fn === 'getTransactions' && (args as LiteArgs<'getTransactions'>).lt < cut)
        throw new LiteServerError(
          -400,
          'cannot compute block with specified transaction: cannot find block (0,8000000000000000) lt=5: lt not in db',
        )
      return local.query(fn, args, stop)
    },
  } as LiteServer
  return { source, asked }
}
const poolOf = async (...sources: LiteServer[]): Promise<TestPool> => {
  const endpoints = await Promise.all(sources.map((source) => serve(source)))
  closing.push(...endpoints)
  const pool = await createTestPool(local, endpoints)
  closing.push(pool)
  await pool.ready(60_000)
  await until(() => pool.status().servers.every(({ archival }) => archival !== null))
  return pool
}
const chainOver = (source: LiteServer): Chain => createChain({ source, tvm })

describe('history', () => {
  it('history comes from the server that has it, whichever is asked first', async () => {
    const pool = await poolOf(forgetful().source, forgetful().source, local)
    expect(pool.status().servers.map(({ archival }) => archival)).toEqual([false, false, true])
    const chain = await chainOver(pool)
    for (let i = 0; i < 3; i += 1) expect((await read(chain)).transactions.length).toBeGreaterThanOrEqual(TRANSFERS)
  })

  it('history that no server has is an error with TON’s text, not a short list', async () => {
    const chain = await chainOver(await poolOf(forgetful().source, forgetful().source))
    await expect(read(chain)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: expect.stringMatching(/^LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: .*lt not in db$/),
    })
    const { address } = local.control.wallets()[0]!
    const recent = await chain.transactions(address, { from: undefined, limit: 5, toLt: 0n }, signal)
    expect(recent.transactions.length).toBe(5)
  })

  it('requests for old history go at once to the servers that have it', async () => {
    const { source, asked } = forgetful()
    const chain = await chainOver(await poolOf(source, local))
    for (let i = 0; i < 5; i += 1) expect((await read(chain, true)).transactions.length).toBeGreaterThanOrEqual(TRANSFERS)
    expect(asked.times).toBe(0)
  })
})
