import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChain } from '../../../server/chain/chain.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createSignedBlocks } from '../../../server/chain/signed/signed-blocks.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { until } from '../../kit/wait.ts'
import { createTestPool, serve, type TestPool } from '../lite/kit.ts'

/* A lite-server over ADNL that answers everything at once but the question for signed blocks. */

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
let local: LocalChain
let pool: TestPool
let asked = 0
const open: { close(): unknown }[] = [tvm]
beforeAll(async () => {
  local = await createTestChain(tvm)
  const slow: LiteServer = {
    ...local,
    query(fn, args, signal) {
      if (fn !== 'nonfinal.getPendingShardBlocks') return local.query(fn, args, signal)
      asked++
      return new Promise(() => {})
    },
  }
  const endpoint = await serve(slow)
  pool = await createTestPool(local, [endpoint], { revertible: true })
  await pool.ready(20_000)
  open.push(local, endpoint, pool)
})
afterAll(async () => {
  for (const each of open.reverse()) await each.close()
})

it('a lite-server that is silent about signed blocks is asked for finals as fast as before, and counts as well', async () => {
  const { signal } = new AbortController()
  const chain = createChain({ source: pool, tvm })
  const blocks = createSignedBlocks({
    source: pool,
    chain,
    needs: 1,
    hasDemand: () => true,
    onChange: () => {},
    ticks: () => performance.now(),
    log: { warn: () => {} },
  })
  await until(() => asked === 1)
  const [before] = pool.status().servers
  for (let i = 0; i < 5; i++) {
    const { seqno } = await local.control.mine(1, signal)
    await until(() => chain.head().id.seqno >= seqno)
    await chain.account({ workchain: 0, hash: new Uint8Array(32) }, undefined, signal)
  }
  // One question at a time, and given up after five seconds.
  expect(asked).toBeLessThan(3)
  const [after] = pool.status().servers
  expect(after).toMatchObject({ faults: before!.faults, lies: 0, trouble: null })
  expect(after!.latency).toBeLessThan(1_000)
  blocks.close()
})
