import { type Address, beginCell, Cell, toNano } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEDUST_V2_POOL_CODES } from '../../../server/protocols/dedust/pool.ts'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'
import { account, b64, mainnetCode, raw, speaking } from './kit.ts'

/* Pools on an embedded chain: what the index knows of them is stored with their traces, and stays as it was then. */

const [ALICE, POOL, STRANGER, LIQUID, LIAR, MASTER] = [0xa1, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5].map((n) => account(n)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const FACTORY = '0:5F0564FB5F604783DB57031CE1CF668A88D4D4D6DA6DE4DB222B4B920D6FD800'
const slice = (address: Address) => ({ slice: beginCell().storeAddress(address).endCell() })

/** Data of a DeDust pool of Gram and the jetton. */
const dedustData = (jetton: Address): Cell => {
  const params = beginCell()
    .storeUint(0b100, 3)
    .storeInt(0, 8)
    .storeBuffer(Buffer.from(FACTORY.slice(2), 'hex'))
    .storeUint(2, 8)
    .storeBit(0)
    .storeUint(0, 4)
    .storeUint(1, 4)
    .storeInt(jetton.workChain, 8)
    .storeBuffer(jetton.hash)
  return beginCell().storeRef(params).endCell()
}
/** Pools of DeDust v2: one of Gram and the jetton, and one whose get-method says too little. */
const V2 = [
  [account(0xb6), speaking({ get_pool_data: [1n, 2n, 3n, { slice: beginCell().storeAddress(null).endCell() }, slice(MASTER)] })],
  [account(0xb7), speaking({ get_pool_data: [1n, 2n, 3n] })],
] as const

/** Data of a liquid-staking pool as far as its jetton. */
const liquidData = (jetton: Address): Cell =>
  beginCell().storeUint(0, 9).storeCoins(0).storeRef(beginCell().storeAddress(jetton).storeCoins(0)).endCell()

describe('pools', () => {
  let index: LocalIndex
  beforeAll(async () => {
    index = await startLocalIndex()
    const put = (address: Address, code: Cell, data: Cell) =>
      index.call('local.setAccount', { address: raw(address), balance: String(toNano('10')), code: b64(code), data: b64(data) })
    await put(POOL, mainnetCode('1275095b6da3'), dedustData(MASTER))
    // The get-methods of a pool and its data, but another code.
    await put(STRANGER, speaking({ get_assets: [], get_reserves: [], is_stable: [], get_trade_fee: [] }), dedustData(MASTER))
    for (const pool of [LIQUID, LIAR]) await put(pool, speaking({ get_pool_full_data: [] }), liquidData(MASTER))
    // No code of a pool of DeDust v2 is recorded: contracts with its get-method stand in.
    for (const [pool, code] of V2) {
      ;(DEDUST_V2_POOL_CODES as Set<string>).add(code.hash().toString('hex'))
      await put(pool, code, Cell.EMPTY)
    }
    const empty = { cell: Cell.EMPTY }
    const content = { cell: beginCell().storeUint(1, 8).storeStringTail('https://example.com/x.json').endCell() }
    await put(MASTER, speaking({ get_jetton_data: [5n, -1n, slice(LIQUID), content, empty] }), Cell.EMPTY)
    await index.indexed()
  })
  afterAll(async () => {
    for (const [, code] of V2) (DEDUST_V2_POOL_CODES as Set<string>).delete(code.hash().toString('hex'))
    await index?.close()
  })

  /** The facts of pools that are stored with the trace of a message. */
  const factsOf = async (to: Address, op: number): Promise<unknown> => {
    const body = beginCell().storeUint(op, 32).storeUint(0, 64).endCell()
    await index.call('local.sendInternal', { from: raw(ALICE), to: raw(to), value: String(toNano('1')), body: b64(body), bounce: true })
    await index.call('local.mine', { count: 3 })
    await index.indexed()
    const rows = await index.server.run<{ facts: string | null }>(
      index.database,
      'select c.facts from trace_classifications c join traces t using (trace_id) order by t.end_lt desc limit 20',
    )
    const key = raw(to)
    return rows.map(({ facts }) => (JSON.parse(facts ?? '{}') as Record<string, unknown>)[key]).find((known) => known !== undefined)
  }

  it('DeDust pools are recognised by their code, whatever their get-methods', async () => {
    expect(await factsOf(POOL, 0x61ee542d)).toEqual({ dedustPool: [null, raw(MASTER)] })
    expect(await factsOf(STRANGER, 0x61ee542d)).toBeUndefined()
  })

  it('DeDust v2 pools are recognised by their code, and their get-method names the assets', async () => {
    const [[pool], [mute]] = V2
    expect(await factsOf(pool, 0xa5a7cbf8)).toEqual({ dedustPool: [null, raw(MASTER)] })
    expect(await factsOf(mute, 0xa5a7cbf8)).toBeUndefined()
  })

  it('liquid-staking pools are recognised if the master of their jetton names them', async () => {
    expect(await factsOf(LIQUID, 0x47d54391)).toEqual({ liquidPool: { jetton: raw(MASTER) } })
    expect(await factsOf(LIAR, 0x47d54391)).toBeUndefined()
  })

  it('pools are not looked for in other traces, and their facts verify', async () => {
    await factsOf(POOL, 0x12345678)
    const [row] = await index.server.run<{ count: string }>(
      index.database,
      `select count(*) as count from trace_classifications where facts like '%dedustPool%'`,
    )
    expect(row!.count).toBe('2')
    expect(await index.verified()).toEqual([])
  })
})
