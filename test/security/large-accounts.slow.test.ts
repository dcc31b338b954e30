import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import { RowBuffer } from '../../server/store/rows/row-buffer.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { indexUpTo } from '../index/kit.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { createRandom, seed } from '../kit/random.ts'

/* Several accounts with as much data as an account may have, which change in one group of blocks. The rows of some dozens would not fit in one string. */

const ACCOUNTS = 6
const CELLS = 65_000
/** Bytes of the data of one of them as text: two digits a byte. */
const TEXT = 2 * CELLS * 127

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

  it(
    'several that change in a few small blocks are written in pieces of two at most, and never as SQL text',
    { timeout: 600_000 },
    async () => {
      const signal = AbortSignal.timeout(590_000)
      for (const id of ids) await chain.control.setAccount(id, { data: dataOf(2) }, signal)
      const database = await server.database()
      const [copied, inserted] = [vi.spyOn(RowBuffer.prototype, 'bytes'), vi.spyOn(RowBuffer.prototype, 'lines')]
      await indexUpTo(chain, database, chain.head!().id.seqno, { signal })
      const [rows] = await server.run<{ accounts: number }>(
        database,
        'select count(*)::int as accounts from accounts where length(data_boc) > 1000000',
      )
      expect(rows!.accounts).toBe(ACCOUNTS)
      const pieces = copied.mock.results.flatMap(({ value }) => value as readonly Uint8Array[]).map(({ length }) => length)
      expect(pieces.filter((length) => length > TEXT)).not.toHaveLength(0)
      expect(Math.max(...pieces)).toBeLessThan(3 * TEXT)
      expect(
        Math.max(0, ...inserted.mock.results.flatMap(({ value }) => value as readonly string[]).map(({ length }) => length)),
      ).toBeLessThan(TEXT)
    },
  )
})
