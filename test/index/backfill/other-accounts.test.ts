import { type Address, beginCell, type Cell } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { backfillUpTo, differences, dump, indexUpTo } from '../kit.ts'
import { account, speaking } from '../topics/kit.ts'

/* Rows that depend on another account, which appears or changes its mind later: a jetton's master, a collection. */

const signal = AbortSignal.timeout(500_000)
let server: TestServer
let tvm: Tvm
let chain: LocalChain

beforeAll(async () => {
  ;[server, tvm] = [await startTestServer(), createTestTvm({ workers: 1 })]
  chain = await createTestChain(tvm)
})
afterAll(async () => {
  await chain?.close()
  await tvm?.close()
  await server?.close()
})

const place = ({ workChain, hash }: Address, code: Cell, balance = 5_000_000_000n) =>
  chain.control.setAccount(
    { workchain: workChain, hash },
    { balance, code: parseBocRoot(code.toBoc()), data: parseBocRoot(beginCell().endCell().toBoc()) },
    signal,
  )
const slice = (address: Address) => ({ slice: beginCell().storeAddress(address).endCell() })
const EMPTY = { cell: beginCell().endCell() }
const CONTENT = { cell: beginCell().storeUint(1, 8).storeStringTail('https://example.org/a.json').endCell() }
const OWNER = account(0xee)

const NOBODY = account(0x77)

/** Places the contract of a pair, or the other one. */
interface Placed {
  own(balance?: bigint): Promise<unknown>
  by(confirmed?: Address): Promise<unknown>
}

/** A contract and the one on which its row depends: `by` confirms `own` or another account. */
interface Pair {
  readonly own: Cell
  readonly by: (confirmed: Address) => Cell
}
const jetton = (master: Address): Pair => ({
  own: speaking({ get_wallet_data: [5n, slice(OWNER), slice(master), EMPTY] }),
  by: (wallet) => speaking({ get_jetton_data: [5n, -1n, slice(OWNER), CONTENT, EMPTY], get_wallet_address: [slice(wallet)] }),
})
const nft = (collection: Address): Pair => ({
  own: speaking({ get_nft_data: [-1n, 3n, slice(collection), slice(OWNER), CONTENT] }),
  by: (item) =>
    speaking({ get_collection_data: [9n, CONTENT, slice(OWNER)], get_nft_address_by_index: [slice(item)], get_nft_content: [CONTENT] }),
})
const order = (multisig: Address): Pair => ({
  own: speaking({ get_order_data: [slice(multisig), 3n, 1n, 0n, null, 0n, 0n, 0n, null] }),
  by: (of) => speaking({ get_multisig_data: [1n, 1n, null, null], get_order_address: [slice(of)] }),
})

/** The pair of each kind, its first address, and the table of the row. */
const KINDS = [
  ['jetton_wallets', 0x10, jetton],
  ['nft_items', 0x20, nft],
  ['multisig_orders', 0x30, order],
] as const

it(
  'rows that depend on another account are what the blocks say after a revert, whatever that account became',
  { timeout: 180_000 },
  async () => {
    const database = await server.database()
    const undone: (() => Promise<unknown>)[] = []
    for (const [, first, pairOf] of KINDS) {
      const [early, late, unchanged] = [0, 2, 4].map((n) => {
        const [address, other] = [account(first + n), account(first + n + 1)]
        const { own, by } = pairOf(other)
        undone.push(() => place(address, own, 7_000_000_000n))
        return { own: (balance?: bigint) => place(address, own, balance), by: (confirmed = address) => place(other, by(confirmed)) }
      }) as [Placed, Placed, Placed]
      await early.own()
      await early.by()
      await late.by()
      await late.own()
      await late.by(NOBODY)
      await late.own(6_000_000_000n)
      await unchanged.by()
      await unchanged.own()
      await unchanged.by(NOBODY)
    }
    const snapshot = await chain.control.snapshot(signal)
    for (const change of undone) await change()
    await indexUpTo(chain, database, chain.head!().id.seqno, { tvm })
    await chain.control.revert(snapshot, signal)
    await chain.control.mine(1, signal)
    const { seqno } = chain.head!().id
    await indexUpTo(chain, database, seqno, { tvm })

    const report = await verifyIndex({ source: chain, connection: database, tvm }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
    for (const [table, first] of KINDS) {
      const rows = await server.run<{ account: Buffer }>(database, `select account from ${table}`)
      expect([table, ...rows.map(({ account: key }) => key[35])]).toEqual([table, first + 4])
    }
    const filled = await server.database()
    await backfillUpTo(chain, filled, seqno, { tvm, size: 8 })
    expect(differences(await dump(database), await dump(filled))).toEqual([])
  },
)
