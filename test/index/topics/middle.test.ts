import { Address } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { startIndexer } from '../kit.ts'
import { type Assets, account, jettonTransfer, raw, startAssets } from './kit.ts'

/* An index that begins in the middle of a chain whose old states nobody gives: masters that no block touches are asked for. */

const [ALICE, BOB] = [account(0xa1), account(0xa3)]

describe('an index that begins at the head', () => {
  let assets: Assets
  let server: TestServer
  const tvm = createTestTvm({ workers: 1 })
  beforeAll(async () => {
    server = await startTestServer()
    assets = await startAssets()
  })
  afterAll(async () => {
    await assets?.close()
    await server?.close()
    await tvm.close()
  })

  it('an index that begins at the head accepts wallets whose master it never saw in a block', async () => {
    const jetton = await assets.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
    const minted = await assets.call('local.mintJetton', { jetton: jetton.address, owner: raw(ALICE), amount: '1000' })
    await assets.settle()
    const own = assets.tonway.app.network.source
    const source: LiteServer = {
      ...own,
      heads: own.heads,
      query: (fn, args, signal) =>
        fn === 'getState' ? Promise.reject(new LiteServerError(651, 'state is not here')) : own.query(fn, args, signal),
    }
    const database = await server.database()
    const from = assets.tonway.app.network.chain.head().id.seqno + 1
    const indexer = startIndexer(source, database, { tvm, from, network: 'local' })
    await assets.tell(ALICE, Address.parse(minted.address), jettonTransfer(10n, BOB, ALICE))
    await indexer.reached(assets.tonway.app.network.chain.head().id.seqno, AbortSignal.timeout(120_000))
    const wallets = await server.run<{ balance: string }>(database, 'select balance from jetton_wallets order by balance')
    expect(wallets.map(({ balance }) => balance)).toEqual(['10', '990'])
    expect(await server.run(database, 'select 1 from jetton_transfers')).toHaveLength(1)
    await indexer.close()
    const { differences } = await verifyIndex({ source, connection: database, tvm }, new AbortController().signal)
    expect(differences.map(formatDifference)).toEqual([])
  })
})
