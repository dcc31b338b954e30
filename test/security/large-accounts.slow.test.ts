import { constants } from 'node:buffer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { indexUpTo } from '../index/kit.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { createRandom, seed } from '../kit/random.ts'

/* Many accounts with as much data as an account may have, which change in one group of blocks. All their rows are longer than the longest string. */

const ACCOUNTS = 32
const CELLS = 65_000

/** A tree of full cells. */
const fullTree = (): Cell => {
  const random = createRandom(seed)
  return wideTree(CELLS, (cell) => cell.storeBytes(random.bytes(127)))
}

describe('accounts with as much data as an account may have', () => {
  let server: TestServer
  let tvm: Tvm
  let chain: LocalChain
  const code = beginCell().storeUint(0xff00, 16).end()
  const large = fullTree()
  const dataOf = (count: number): Cell => beginCell().storeUint(count, 32).storeRef(large).end()
  const ids = Array.from({ length: ACCOUNTS }, (_, n) => ({ workchain: 0, hash: new Uint8Array(32).fill(n + 1) }))
  beforeAll(async () => {
    server = await startTestServer()
    tvm = createTestTvm({ workers: 1 })
    // The chain begins with them, so that the blocks that change them are small.
    chain = await createTestChain(tvm, { accounts: ids.map((account) => ({ account, balance: 1_000_000_000n, code, data: dataOf(1) })) })
  })
  afterAll(async () => {
    await chain?.close()
    await tvm?.close()
    await server?.close()
  })

  it('many that change in a few small blocks are indexed, a few at a time', { timeout: 600_000 }, async () => {
    const signal = AbortSignal.timeout(590_000)
    for (const id of ids) await chain.control.setAccount(id, { data: dataOf(2) }, signal)
    const database = await server.database()
    await indexUpTo(chain, database, chain.head!().id.seqno, { signal })
    const [rows] = await server.run<{ accounts: number; bytes: number }>(
      database,
      'select count(*)::int as accounts, sum(length(data_boc))::int as bytes from accounts where length(data_boc) > 1000000',
    )
    expect(rows!.accounts).toBe(ACCOUNTS)
    // As text a byte is two digits.
    expect(2 * rows!.bytes).toBeGreaterThan(constants.MAX_STRING_LENGTH)
  })
})
