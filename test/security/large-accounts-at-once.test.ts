import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { createChain } from '../../server/chain/chain.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { accountHandlers } from '../../server/v2/accounts.ts'
import { createTraceHandler } from '../../server/v2/run.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { timeTurns } from '../kit/turns.ts'

/*
 * Calls at the same time that waited for one read go on in one turn of the event loop. Each of them writes its account, which can have 65,536 cells, so they
 * are written one after another, with pauses.
 */

const AT_ONCE = 12
const signal = new AbortController().signal
const each = <T>(map: (i: number) => T): T[] => Array.from({ length: AT_ONCE }, (_, i) => map(i))
const ids = each((i) => ({ workchain: 0, hash: new Uint8Array(32).fill(i + 1) }))
/** PUSHCONT {}; AGAIN: a get-method that runs until its gas has gone. */
const ENDLESS = beginCell().storeBytes(Buffer.from('90ea', 'hex')).end()

const tvm = createTestTvm({ workers: 1 })
/** Clients for whom transactions were run. */
const ranFor: (string | undefined)[] = []
let local: LocalChain
let chain: Chain
beforeAll(async () => {
  local = await createTestChain(tvm)
  const data = wideTree(20_000)
  for (const id of ids) {
    await local.control.fund(id, 1_000_000_000n, signal)
    await local.control.setAccount(id, { code: ENDLESS, data: beginCell().storeBytes(id.hash).storeRef(data).end() }, signal)
  }
  const runTransaction: typeof tvm.runTransaction = (request, ...args) => {
    ranFor.push(args[1]?.client)
    return tvm.runTransaction(request, ...args)
  }
  chain = createChain({ source: local, tvm: { ...tvm, runTransaction } })
}, 120_000)
afterAll(async () => {
  await local?.close()
  await tvm.close()
})

describe('calls about large accounts at the same time', () => {
  it.each([
    'getAddressInformation',
    'getExtendedAddressInformation',
    'getShardAccountCell',
  ] as const)('answers of %s are written in a turn each', async (method) => {
    const handler = accountHandlers({ chain })[method]
    // The accounts are known afterwards, so that the calls wait for nothing.
    for (const id of ids) await chain.account(id, undefined, signal)
    const call = { signal } as Call
    const ask = (address: object) => handler({ address } as Parameters<typeof handler>[0], call)
    const { longest, all } = await timeTurns(() => Promise.all(ids.map(ask)))
    expect(longest).toBeLessThan(all / 2)
  }, 120_000)

  it('get-methods that are too slow for the serving thread are handed to the pool in several turns', async () => {
    const { root: config } = await chain.config(undefined, signal)
    const request = { config, code: ENDLESS, address: ids[0]!, balance: 1n, methodId: 1, stack: [], now: 1, randomSeed: new Uint8Array(32) }
    const run = (gasLimit: bigint, data: Cell) => tvm.runGetMethod({ ...request, gasLimit, data }, signal)
    // It is known as slow afterwards.
    await run(1_000_000n, beginCell().end())
    const data = wideTree(20_000)
    const { longest, all } = await timeTurns(() => Promise.all(each((i) => run(1_000n + BigInt(i), data))))
    expect(longest).toBeLessThan(all / 2)
  })

  it('transactions that are run again are prepared in several turns', async () => {
    const states = await Promise.all(ids.map((id) => chain.account(id, undefined, signal)))
    const again = () => Promise.all(states.map(({ id, lastTransLt }) => chain.traceTransaction(id, lastTransLt, signal)))
    const { longest, all } = await timeTurns(again)
    expect(longest).toBeLessThan(all / 2)
  })

  it('transactions that are run again count as work of their caller', async () => {
    const { id, lastTransLt } = await chain.account(ids[0]!, undefined, signal)
    ranFor.length = 0
    const call = { signal, client: 'somebody' } as Call
    const handler = createTraceHandler(chain)
    await handler({ address: id, lt: lastTransLt } as object as Parameters<typeof handler>[0], call)
    expect(ranFor).toEqual(['somebody'])
  })
})
